"""A collector of OpenTelemetry as a test needs one: OTLP over HTTP, kept in memory."""

import gzip
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from opentelemetry.proto.collector.metrics.v1.metrics_service_pb2 import (
    ExportMetricsServiceRequest,
    ExportMetricsServiceResponse,
)
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import (
    ExportTraceServiceRequest,
    ExportTraceServiceResponse,
)
from typing_extensions import override


@dataclass(frozen=True, slots=True)
class ReceivedSpan:
    """A span; ids are bytes, an empty `parent` is none."""

    name: str
    trace: bytes
    id: bytes
    parent: bytes
    attributes: dict[str, Any]
    is_error: bool


@dataclass(slots=True)
class Collector:
    """Everything that was sent; `metrics` are the sums of histograms by name and labels."""

    url: str = ""
    spans: list[ReceivedSpan] = field(default_factory=list)
    metrics: dict[str, list[tuple[dict[str, Any], float]]] = field(default_factory=dict)
    resources: list[dict[str, Any]] = field(default_factory=list)
    bodies: list[bytes] = field(default_factory=list)

    def named(self, name: str) -> list[ReceivedSpan]:
        """The spans of a name."""
        return [span for span in self.spans if span.name == name]

    def take_traces(self, body: bytes) -> bytes:
        """Keep the spans of a request; the answer to it."""
        for group in ExportTraceServiceRequest.FromString(body).resource_spans:
            self.resources.append(_plain(group.resource.attributes))
            self.spans += [
                ReceivedSpan(
                    *(span.name, span.trace_id, span.span_id, span.parent_span_id),
                    _plain(span.attributes),
                    span.status.code == span.status.STATUS_CODE_ERROR,
                )
                for scope in group.scope_spans
                for span in scope.spans
            ]
        answer: bytes = ExportTraceServiceResponse().SerializeToString()
        return answer

    def take_metrics(self, body: bytes) -> bytes:
        """Keep the histograms of a request; the answer to it."""
        for group in ExportMetricsServiceRequest.FromString(body).resource_metrics:
            for metric in (one for scope in group.scope_metrics for one in scope.metrics):
                points = metric.histogram.data_points
                self.metrics[metric.name] = [(_plain(one.attributes), one.sum) for one in points]
        answer: bytes = ExportMetricsServiceResponse().SerializeToString()
        return answer


def _plain(attributes: Any) -> dict[str, Any]:
    return {one.key: getattr(one.value, one.value.WhichOneof("value")) for one in attributes}


@contextmanager
def collecting() -> Iterator[Collector]:
    """A collector that listens on this machine."""
    collector = Collector()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            if self.headers.get("Content-Encoding") == "gzip":
                body = gzip.decompress(body)
            collector.bodies.append(body)
            take = {"/v1/traces": collector.take_traces, "/v1/metrics": collector.take_metrics}
            answer = take[self.path](body)
            self.send_response(200)
            self.send_header("Content-Type", "application/x-protobuf")
            self.send_header("Content-Length", str(len(answer)))
            self.end_headers()
            self.wfile.write(answer)

        @override
        def log_message(self, *_arguments: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        collector.url = f"http://127.0.0.1:{server.server_port}"
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield collector
        server.shutdown()
        thread.join()

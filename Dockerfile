# One image for every role: rich-agent run | serve | worker | migrate, and ingest.
# BASE may be any image with Python 3.11 or newer, its venv module, and useradd.
ARG BASE=python:3.12.12-slim-bookworm
FROM ${BASE} AS build
ENV UV_COMPILE_BYTECODE=1 UV_LINK_MODE=copy UV_PROJECT_ENVIRONMENT=/opt/venv \
    UV_PYTHON_DOWNLOADS=never PATH=/opt/uv/bin:$PATH
RUN python3 -m venv /opt/uv && pip install --no-cache-dir uv==0.13.9
WORKDIR /src
COPY pyproject.toml uv.lock README.md LICENSE ./
COPY packages/rich-agent-sandbox/pyproject.toml packages/rich-agent-sandbox/
RUN uv sync --frozen --no-dev --extra calendar --extra connectors --extra ddgs --extra local --extra oidc --extra otel --no-install-project
COPY src src
COPY ingest ingest
COPY migrations migrations
COPY migrations_rag migrations_rag
COPY docs docs
COPY sample sample
RUN uv sync --frozen --no-dev --extra calendar --extra connectors --extra ddgs --extra local --extra oidc --extra otel --no-editable

FROM ${BASE}
RUN useradd --system --uid 10001 --create-home --home-dir /var/lib/rich-agent bot
COPY --from=build /opt/venv /opt/venv
# What the documentation registers by relative paths: its own pages, and documents for a first try.
COPY docs /app/docs
COPY sample /app/sample
COPY docker/health.py /app/health.py
ENV PATH=/opt/venv/bin:$PATH PYTHONUNBUFFERED=1 PYTHONDONTWRITEBYTECODE=1 \
    DATA_DIR=/var/lib/rich-agent LOG_FORMAT=json
USER bot
WORKDIR /app
VOLUME /var/lib/rich-agent
EXPOSE 8000
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s CMD ["python", "/app/health.py"]
ENTRYPOINT ["rich-agent"]
CMD ["run"]

# One image for every role: rich-agent run | serve | worker | migrate, and ingest.
FROM python:3.12-slim-bookworm AS build
ENV UV_COMPILE_BYTECODE=1 UV_LINK_MODE=copy UV_PROJECT_ENVIRONMENT=/opt/venv
RUN pip install --no-cache-dir uv
WORKDIR /src
COPY pyproject.toml uv.lock README.md LICENSE ./
RUN uv sync --frozen --no-dev --no-install-project
COPY src src
COPY ingest ingest
COPY migrations migrations
COPY migrations_rag migrations_rag
COPY docs docs
COPY sample sample
RUN uv sync --frozen --no-dev --no-editable

FROM python:3.12-slim-bookworm
RUN useradd --system --uid 10001 --create-home --home-dir /var/lib/rich-agent bot
COPY --from=build /opt/venv /opt/venv
ENV PATH=/opt/venv/bin:$PATH PYTHONUNBUFFERED=1 DATA_DIR=/var/lib/rich-agent LOG_FORMAT=json
USER bot
WORKDIR /var/lib/rich-agent
EXPOSE 8000
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s \
  CMD ["python", "-c", "import os, urllib.request as r; r.urlopen('http://127.0.0.1:' + os.environ.get('PORT', '8000') + '/healthz', timeout=2)"]
ENTRYPOINT ["rich-agent"]
CMD ["run"]

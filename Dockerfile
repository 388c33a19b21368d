# The platform as a container: gistmark serve, with the client programs of PostgreSQL for backups.
# compose.yml runs it with PostgreSQL, Caddy and backups; docs/operations.md says how.

FROM python:3.11.13-slim-bookworm AS build
ENV PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_NO_CACHE_DIR=1
WORKDIR /build
COPY pyproject.toml constraints.txt README.md LICENSE ./
COPY src ./src
RUN python -m venv /opt/gistmark \
    && /opt/gistmark/bin/python -m pip install --constraint constraints.txt ".[web]"

FROM python:3.11.13-slim-bookworm
RUN apt-get update \
    && apt-get install --yes --no-install-recommends postgresql-client-15 \
    && rm -rf /var/lib/apt/lists/* \
    && groupadd --gid 10001 gistmark \
    && useradd --uid 10001 --gid gistmark --no-create-home --home-dir /data --shell /usr/sbin/nologin gistmark \
    && install --directory --owner gistmark --group gistmark --mode 700 /data /backups
COPY --from=build /opt/gistmark /opt/gistmark
ENV PATH=/opt/gistmark/bin:$PATH PYTHONUNBUFFERED=1 PYTHONDONTWRITEBYTECODE=1 \
    GISTMARK_DATA=/data GISTMARK_LOG=json
USER 10001:10001
VOLUME ["/data"]
EXPOSE 8000
HEALTHCHECK --interval=30s --timeout=15s --start-period=60s --retries=3 \
    CMD ["gistmark", "check", "--running", "--port", "8000"]
ENTRYPOINT ["gistmark"]
CMD ["serve", "--host", "0.0.0.0", "--port", "8000", "--workers", "4"]

# Built offline from the wheels that `make wheels` leaves in wheels/; docs/deploy.md explains it.
ARG PYTHON=python:3.13-slim
FROM ${PYTHON}
RUN --mount=type=bind,source=wheels,target=/wheels pip install --no-cache-dir --no-index /wheels/*.whl \
  && install -d -o 10001 -g 10001 -m 700 /data
# An account without a name in the image; it needs none. A new volume at /data takes over the owner of that folder.
USER 10001:10001
WORKDIR /data
ENV DATA_DIR=/data PYTHONDONTWRITEBYTECODE=1
EXPOSE 8000
# The first start loads the sample. ALLOWED_HOSTS needs no name for it: /readyz is answered under any.
HEALTHCHECK --interval=10s --start-period=60s CMD ["python", "-c", "import urllib.request as u; u.urlopen('http://127.0.0.1:8000/readyz')"]
ENTRYPOINT ["econweb"]
CMD ["serve", "--host", "0.0.0.0", "--workers", "2"]

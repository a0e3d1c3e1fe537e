"""Sends logs, traces and metrics with the Python OpenTelemetry SDK.

usage: send.py ENDPOINT FOLDER

ENDPOINT is the base URL of an OTLP/HTTP receiver. Everything that the exporters are given to send is also written to
FOLDER/logs.bin, traces.bin and metrics.bin: export requests in protobuf, each behind its length as a varint.
The exit code is 1 when an export did not succeed. Logs travel uncompressed, traces and metrics as gzip.
"""

import logging
import sys
from pathlib import Path

from google.protobuf.proto import serialize_length_prefixed
from opentelemetry import metrics, trace
from opentelemetry.exporter.otlp.proto.common._log_encoder import encode_logs
from opentelemetry.exporter.otlp.proto.common.metrics_encoder import encode_metrics
from opentelemetry.exporter.otlp.proto.common.trace_encoder import encode_spans
from opentelemetry.exporter.otlp.proto.http import Compression
from opentelemetry.exporter.otlp.proto.http._log_exporter import OTLPLogExporter
from opentelemetry.exporter.otlp.proto.http.metric_exporter import OTLPMetricExporter
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk._logs import LoggerProvider, LoggingHandler
from opentelemetry.sdk._logs.export import BatchLogRecordProcessor
from opentelemetry.sdk.metrics import MeterProvider
from opentelemetry.sdk.metrics.export import PeriodicExportingMetricReader
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor

RECORDS = 200

failures = []


def recording(exporter_class, encode, path):
    """The class of an exporter that also writes what it sends to `path`."""

    class Recording(exporter_class):
        def export(self, batch, *arguments, **keywords):
            with path.open("ab") as file:
                serialize_length_prefixed(encode(batch), file)
            result = super().export(batch, *arguments, **keywords)
            if result.name != "SUCCESS":
                failures.append(path.name)
            return result

    return Recording


def send_logs(endpoint, folder, resource):
    exporter = recording(OTLPLogExporter, encode_logs, folder / "logs.bin")
    provider = LoggerProvider(resource=resource)
    provider.add_log_record_processor(BatchLogRecordProcessor(exporter(f"{endpoint}/v1/logs")))
    logger = logging.getLogger("shop")
    logger.setLevel(logging.DEBUG)
    logger.propagate = False
    logger.addHandler(LoggingHandler(logger_provider=provider))
    levels = [logging.DEBUG, logging.INFO, logging.WARNING, logging.ERROR]
    for number in range(RECORDS):
        details = {"order.number": number, "order.total": number / 4, "gift": number % 2 == 0, "tags": ["a", "b"]}
        logger.log(levels[number % 4], "order %d accepted, größer", number, extra=details)
    provider.shutdown()


def send_traces(endpoint, folder, resource):
    exporter = recording(OTLPSpanExporter, encode_spans, folder / "traces.bin")
    provider = TracerProvider(resource=resource)
    processor = BatchSpanProcessor(exporter(f"{endpoint}/v1/traces", compression=Compression.Gzip))
    provider.add_span_processor(processor)
    tracer = provider.get_tracer("shop", "1.2.3")
    for number in range(RECORDS // 2):
        with tracer.start_as_current_span("order", kind=trace.SpanKind.SERVER) as span:
            span.set_attribute("order.number", number)
            with tracer.start_as_current_span("payment") as inner:
                inner.add_event("card accepted", {"attempt": 1})
                if number % 10 == 0:
                    inner.set_status(trace.StatusCode.ERROR, "declined")
    provider.shutdown()


def send_metrics(endpoint, folder, resource):
    exporter = recording(OTLPMetricExporter, encode_metrics, folder / "metrics.bin")
    reader = PeriodicExportingMetricReader(
        exporter(f"{endpoint}/v1/metrics", compression=Compression.Gzip), export_interval_millis=3_600_000
    )
    provider = MeterProvider([reader], resource=resource)
    meter = provider.get_meter("shop")
    orders = meter.create_counter("orders", unit="1")
    durations = meter.create_histogram("duration", unit="s")
    for number in range(RECORDS):
        orders.add(1, {"shop": f"shop-{number % 20}"})
        durations.record(number / 100, {"shop": f"shop-{number % 20}"})
    meter.create_observable_gauge("queue", [lambda _: [metrics.Observation(7, {"shop": "shop-0"})]])
    provider.shutdown()


def main():
    endpoint, folder = sys.argv[1], Path(sys.argv[2])
    resource = Resource.create({"service.name": "shop", "deployment.environment": "prod"})
    send_logs(endpoint, folder, resource)
    send_traces(endpoint, folder, resource)
    send_metrics(endpoint, folder, resource)
    if failures:
        sys.exit(f"not accepted: {', '.join(failures)}")


if __name__ == "__main__":
    main()

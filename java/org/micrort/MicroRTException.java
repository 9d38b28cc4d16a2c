package org.micrort;

/** What MicroRT could not do, with the reason that the library gives. */
public final class MicroRTException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** As micrort_status of micrort_c.h. */
    public enum Status {
        OK, INVALID_ARGUMENT, INVALID_MODEL, UNSUPPORTED, OUT_OF_MEMORY, IO, OUT_OF_RANGE, INTERNAL, CANCELLED, DEADLINE_EXCEEDED
    }

    private final Status status;

    MicroRTException(int status, byte[] message) {
        super(Text.of(message));
        this.status = Status.values()[status];
    }

    MicroRTException(Status status, String message) {
        super(message);
        this.status = status;
    }

    public Status status() {
        return status;
    }
}

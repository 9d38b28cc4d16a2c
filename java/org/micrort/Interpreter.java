package org.micrort;

/**
 * Runs a model. Several threads may call it: one waits for the other, but with {@link #cancel}. What {@link Tensor#data} gives is
 * memory that a run of another thread changes.
 *
 * <pre>{@code
 * try (Model model = Model.fromFile("digits.fb"); Interpreter interpreter = new Interpreter(model)) {
 *     interpreter.input(0).floats().put(pixels);
 *     interpreter.run();
 *     interpreter.output(0).floats().get(probabilities);
 * }
 * }</pre>
 */
public final class Interpreter implements AutoCloseable {
    /** What may differ from the usual; each call returns this object. */
    public static final class Options {
        int threads = 1;
        String isa;
        boolean keepInputs;
        long[][] shapes;

        /** The calling one included, 1 to 64. */
        public Options threads(int threads) {
            this.threads = threads;
            return this;
        }

        /** The strongest instruction set to use, "scalar", "neon", "dotprod" ... */
        public Options isa(String isa) {
            this.isa = isa;
            return this;
        }

        /** A run leaves inputs as they are, for a larger arena. */
        public Options keepInputs(boolean keepInputs) {
            this.keepInputs = keepInputs;
            return this;
        }

        /** One shape an input; without it, open dimensions are 1. */
        public Options inputShapes(long[]... shapes) {
            this.shapes = shapes;
            return this;
        }
    }

    private final Model model;
    private final Object ending = new Object(); // held by whoever cancels or destroys, so that neither meets the other
    private long handle;
    private volatile int sizes; // counts how often they were set; negative: closed

    public Interpreter(Model model) {
        this(model, new Options());
    }

    public Interpreter(Model model, Options options) {
        final long open = model.addUser();
        try {
            handle = Native.createInterpreter(open, options.threads, Text.bytes(options.isa), options.keepInputs, options.shapes);
        } finally {
            if (handle == 0) model.release();
        }
        this.model = model;
    }

    public synchronized int inputCount() {
        return Native.inputCount(open());
    }

    public synchronized int outputCount() {
        return Native.outputCount(open());
    }

    public synchronized Tensor input(int index) {
        return Native.input(open(), index).of(this, sizes);
    }

    public synchronized Tensor output(int index) {
        return Native.output(open(), index).of(this, sizes);
    }

    public synchronized Tensor input(String name) {
        return Native.inputNamed(open(), Text.bytes(name)).of(this, sizes);
    }

    public synchronized Tensor output(String name) {
        return Native.outputNamed(open(), Text.bytes(name)).of(this, sizes);
    }

    public synchronized void run() {
        Native.run(open(), 0);
    }

    /** Ends with DEADLINE_EXCEEDED when it is not done after so many microseconds, at least 1. */
    public synchronized void runFor(long microseconds) {
        if (microseconds < 1) throw new IllegalArgumentException("expected at least 1 microsecond, found " + microseconds);
        Native.run(open(), microseconds);
    }

    /** By any thread: the run in progress ends with CANCELLED, or, where none is, the next one. */
    public void cancel() {
        synchronized (ending) {
            Native.cancel(open());
        }
    }

    /** One shape an input. Tensors from before have no data any more. */
    public synchronized void resize(long[]... shapes) {
        open();
        ++sizes; // memory may be another one even if it fails
        Native.resize(open(), shapes);
    }

    /** What the model keeps from run to run becomes what it was at first. */
    public synchronized void resetState() {
        Native.resetState(open());
    }

    public synchronized long arenaBytes() {
        return Native.arenaBytes(open());
    }

    /** The strongest instruction set in use. */
    public synchronized String isa() {
        return Text.of(Native.isa(open()));
    }

    /** Waits for a run in progress, which {@link #cancel} ends. */
    @Override
    public synchronized void close() {
        if (handle == 0) return;
        sizes = -1;
        synchronized (ending) {
            Native.destroyInterpreter(handle);
            handle = 0;
        }
        model.release();
    }

    /** Whether a tensor that was asked for with such sizes has its data still. */
    void check(String tensor, int sizesThen) {
        final int now = sizes;
        if (now < 0) throw new IllegalStateException("tensor '" + tensor + "': the interpreter is closed");
        if (now != sizesThen) throw new IllegalStateException("tensor '" + tensor + "' is from before resize(): ask for it again");
    }

    private long open() {
        if (handle == 0) throw new IllegalStateException("the interpreter is closed");
        return handle;
    }
}

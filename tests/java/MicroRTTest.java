import org.micrort.DataType;
import org.micrort.Interpreter;
import org.micrort.MicroRTException;
import org.micrort.Model;
import org.micrort.Pictures;
import org.micrort.Tensor;

import java.nio.ByteBuffer;
import java.nio.FloatBuffer;
import java.nio.file.Files;
import java.nio.file.Paths;
import java.util.Arrays;

/** MicroRTTest MODEL.fb DYNAMIC.fb PICTURES.fb INT8.fb: digits, with an open batch, and two that state how pictures are prepared. */
public final class MicroRTTest {
    private interface Code {
        void run() throws Exception;
    }

    private static void check(boolean holds, String what) {
        if (!holds) throw new AssertionError(what);
    }

    private static <E extends Throwable> E expect(Class<E> type, Code code) {
        try {
            code.run();
        } catch (Throwable error) {
            if (type.isInstance(error)) return type.cast(error);
            throw new AssertionError("expected " + type + ", found " + error, error);
        }
        throw new AssertionError("expected " + type + ", found nothing");
    }

    private static float[] probabilities(Interpreter interpreter) {
        FloatBuffer input = interpreter.input(0).floats();
        while (input.hasRemaining()) input.put(0.25f * (input.position() % 5));
        interpreter.run();
        float[] out = new float[10];
        interpreter.output("output").floats().get(out);
        return out;
    }

    private static void runsModels(String path) throws Exception {
        float[] fromFile;
        try (Model model = Model.fromFile(path); Interpreter interpreter = new Interpreter(model)) {
            check(model.pictures() == null, "pictures");
            Tensor input = model.inputs()[0];
            check(input.name().equals("input") && input.type() == DataType.FLOAT32, "name and type");
            check(Arrays.equals(input.shape(), new long[] {1, 1, 32, 24}), "shape");
            check(input.data() == null && interpreter.input(0).data().capacity() == 32 * 24 * 4, "data");
            check(interpreter.inputCount() == 1 && interpreter.outputCount() == 1, "counts");
            check(interpreter.arenaBytes() > 0 && !interpreter.isa().isEmpty(), "arena and instruction set");
            fromFile = probabilities(interpreter);
            float sum = 0;
            for (float p : fromFile) sum += p;
            check(Math.abs(sum - 1) < 1e-3, "probabilities add up to " + sum);
            interpreter.runFor(60_000_000);
        }
        byte[] bytes = Files.readAllBytes(Paths.get(path));
        for (ByteBuffer buffer : new ByteBuffer[] {ByteBuffer.wrap(bytes), (ByteBuffer) ByteBuffer.allocateDirect(bytes.length).put(bytes).flip()}) {
            try (Model model = Model.fromBytes(buffer);
                    Interpreter interpreter = new Interpreter(model, new Interpreter.Options().threads(2).isa("scalar").keepInputs(true))) {
                check(interpreter.isa().equals("scalar"), "instruction set");
                float[] found = probabilities(interpreter);
                for (int i = 0; i < 10; ++i) check(Math.abs(found[i] - fromFile[i]) < 1e-4, "the same from a buffer");
            }
        }
    }

    private static void resizes(String path) {
        try (Model model = Model.fromFile(path);
                Interpreter interpreter = new Interpreter(model, new Interpreter.Options().inputShapes(new long[] {3, 1, 32, 24}))) {
            check(model.inputs()[0].shape()[0] == -1, "open");
            Tensor three = interpreter.input(0);
            check(three.shape()[0] == 3 && three.floats().remaining() == 3 * 32 * 24, "three");
            interpreter.resize(new long[] {2, 1, 32, 24});
            check(expect(IllegalStateException.class, three::data).getMessage().contains("resize()"), "from before");
            check(three.shape()[0] == 3, "a shape is no memory");
            check(interpreter.output(0).shape()[0] == 2, "two");
            interpreter.run();
            MicroRTException error = expect(MicroRTException.class, () -> interpreter.resize(new long[] {2, 2}));
            check(error.status() == MicroRTException.Status.INVALID_ARGUMENT, "status " + error.status());
            expect(MicroRTException.class, () -> interpreter.resize(new long[9]));
            expect(MicroRTException.class, () -> interpreter.resize(null, null));
            check(interpreter.input(0).shape()[0] == 2, "shapes stay");
        }
    }

    private static void refuses(String path) {
        MicroRTException missing = expect(MicroRTException.class, () -> Model.fromFile("/nowhere.fb"));
        check(missing.status() == MicroRTException.Status.IO && missing.getMessage().contains("/nowhere.fb"), missing.toString());
        MicroRTException broken = expect(MicroRTException.class, () -> Model.fromBytes(ByteBuffer.wrap(new byte[100])));
        check(broken.status() == MicroRTException.Status.INVALID_MODEL, broken.toString());
        try (Model model = Model.fromFile(path); Interpreter interpreter = new Interpreter(model)) {
            expect(MicroRTException.class, () -> interpreter.input(1));
            expect(MicroRTException.class, () -> interpreter.output(-1));
            check(expect(MicroRTException.class, () -> interpreter.input("none")).getMessage().contains("'none'"), "named");
            expect(MicroRTException.class, () -> new Interpreter(model, new Interpreter.Options().threads(0)));
            expect(MicroRTException.class, () -> new Interpreter(model, new Interpreter.Options().isa("none")));
            expect(IllegalArgumentException.class, () -> interpreter.runFor(0));
            interpreter.cancel();
            MicroRTException cancelled = expect(MicroRTException.class, interpreter::run);
            check(cancelled.status() == MicroRTException.Status.CANCELLED, cancelled.toString());
        }
    }

    private static void closes(String path) {
        Model model = Model.fromFile(path);
        Interpreter interpreter = new Interpreter(model);
        model.close();
        model.close();
        expect(IllegalStateException.class, () -> new Interpreter(model));
        expect(IllegalStateException.class, model::inputs);
        probabilities(interpreter); // the model stays for it
        Tensor input = interpreter.input(0), output = interpreter.output("output");
        interpreter.close();
        interpreter.close();
        Code[] calls = {interpreter::run, () -> interpreter.runFor(1000), interpreter::cancel, interpreter::resetState, interpreter::isa,
            interpreter::inputCount, interpreter::outputCount, interpreter::arenaBytes, () -> interpreter.input(0),
            () -> interpreter.output(0), () -> interpreter.input("input"), () -> interpreter.output("output"),
            () -> interpreter.resize(new long[] {1, 1, 32, 24}), input::data, input::floats, output::data, output::floats};
        for (Code call : calls) check(expect(IllegalStateException.class, call).getMessage().contains("is closed"), "closed");
        for (int i = 0; i < 200; ++i) {
            try (Model again = Model.fromFile(path); Interpreter runs = new Interpreter(again)) {
                runs.resetState();
            }
        }
    }

    /** Threads run, resize, ask, cancel; meanwhile it is closed. Each ends by an exception, none by the other's memory. */
    private static void isSharedByThreads(String path) throws Exception {
        for (int round = 0; round < 20; ++round) {
            Model model = Model.fromFile(path);
            Interpreter interpreter = new Interpreter(model, new Interpreter.Options().inputShapes(new long[] {2, 1, 32, 24}));
            Code[] calls = {
                interpreter::run,
                () -> interpreter.resize(new long[] {System.nanoTime() % 4 + 1, 1, 32, 24}),
                () -> interpreter.input(0).shape(),
                () -> interpreter.output("output").name(),
                interpreter::cancel,
                interpreter::resetState,
                model::inputs,
            };
            Thread[] threads = new Thread[calls.length];
            Throwable[] ends = new Throwable[calls.length];
            for (int t = 0; t < threads.length; ++t) {
                final int k = t;
                threads[t] = new Thread(() -> {
                    while (ends[k] == null) {
                        try {
                            calls[k].run();
                        } catch (MicroRTException error) {
                            if (error.status() != MicroRTException.Status.CANCELLED) ends[k] = error;
                        } catch (Throwable error) {
                            ends[k] = error;
                        }
                    }
                });
                threads[t].start();
            }
            Thread.sleep(20);
            interpreter.close();
            model.close();
            for (int t = 0; t < threads.length; ++t) {
                threads[t].join();
                check(ends[t] instanceof IllegalStateException, "call " + t + " ends with " + ends[t]);
            }
        }
    }

    private static void takesNoNulForAnEnd(String path) {
        expect(IllegalArgumentException.class, () -> Model.fromFile(path + "\0.txt"));
        try (Model model = Model.fromFile(path); Interpreter interpreter = new Interpreter(model)) {
            expect(IllegalArgumentException.class, () -> interpreter.input("input\0"));
            expect(IllegalArgumentException.class, () -> new Interpreter(model, new Interpreter.Options().isa("scalar\0")));
        }
    }

    /** Gray as micrort-run makes it of colors. */
    private static void preparesPictures(String floats, String integers) {
        int[] argb = new int[32 * 24];
        for (int i = 0; i < argb.length; ++i) argb[i] = 0xff000000 | i % 256 << 16 | i * 7 % 256 << 8 | i * 13 % 256;
        try (Model model = Model.fromFile(floats); Interpreter interpreter = new Interpreter(model);
                Model narrow = Model.fromFile(integers); Interpreter quantized = new Interpreter(narrow)) {
            check(model.metadata("nothing") == null, "no such key");
            Pictures pictures = model.pictures();
            check(pictures.color().equals("gray") && pictures.resize().equals("crop"), "color and resize");
            check(pictures.mean()[0] == 127 && pictures.scale()[0] == 0.0078125f, "mean and scale");
            Tensor real = interpreter.input(0), input = quantized.input(0);
            pictures.write(argb, real);
            narrow.pictures().write(argb, input);
            for (int i = 0; i < argb.length; ++i) {
                int gray = 77 * (i % 256) + 150 * (i * 7 % 256) + 29 * (i * 13 % 256) >> 8;
                float wanted = (gray - 127) * 0.0078125f;
                check(real.floats().get(i) == wanted, "pixel " + i);
                double integer = Math.rint(wanted / input.scale() + input.zeroPoint());
                check(input.data().get(i) == Math.max(-128, Math.min(127, integer)), "quantized pixel " + i);
            }
            check(expect(IllegalArgumentException.class, () -> pictures.write(new int[3], real)).getMessage().contains("expected 32x24"), "size");
        }
        try (Model model = Model.fromFile(integers)) {
            expect(IllegalArgumentException.class, () -> model.metadata("a\0b"));
        }
    }

    public static void main(String[] arguments) throws Exception {
        runsModels(arguments[0]);
        resizes(arguments[1]);
        refuses(arguments[0]);
        closes(arguments[0]);
        isSharedByThreads(arguments[1]);
        takesNoNulForAnEnd(arguments[0]);
        preparesPictures(arguments[2], arguments[3]);
        System.out.println("Success");
    }
}

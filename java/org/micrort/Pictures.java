package org.micrort;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How a model's file says that pictures become inputs (flags --mean, --scale, --color and --resize of its conversion), and what does it.
 * Immutable, for any number of threads.
 */
public final class Pictures {
    private static final String KEY = "micrort.pictures";
    private static final int MOST_CHARACTERS = 256 << 10;
    private static final Pattern NUMBER = Pattern.compile("-?\\d+(\\.\\d+)?([eE][-+]?\\d+)?");
    // Of a flat object of lists and of names, which is what the converter writes.
    private static final Pattern ENTRY = Pattern.compile("\\s*\"(mean|scale|color|resize)\"\\s*:\\s*(?:\"([a-z]*)\"|\\[([^\\]]*)\\])\\s*(?:,(?=\\s*\")|$)");

    private float[] mean = {0};
    private float[] scale = {1};
    private String color = "rgb";
    private String resize = "stretch";

    private Pictures() {}

    /** Of the metadata's text; null for null. */
    static Pictures parse(String text) {
        if (text == null) return null;
        if (text.length() > MOST_CHARACTERS) throw broken("expected at most " + MOST_CHARACTERS + " characters, found " + text.length());
        final Pictures pictures = new Pictures();
        final String object = text.trim();
        if (!object.startsWith("{") || !object.endsWith("}")) throw broken("expected a JSON object");
        final String entries = object.substring(1, object.length() - 1);
        final Matcher matcher = ENTRY.matcher(entries);
        int end = 0;
        while (matcher.find() && matcher.start() == end) {
            pictures.set(matcher.group(1), matcher.group(2), matcher.group(3));
            end = matcher.end();
        }
        if (!entries.substring(end).trim().isEmpty()) throw broken("found " + entries.substring(end).trim());
        return pictures;
    }

    private void set(String key, String name, String numbers) {
        if (key.equals("mean") || key.equals("scale")) {
            final float[] values = numbers == null ? new float[0] : floats(numbers);
            boolean holds = values.length > 0;
            for (float value : values) holds &= !Float.isInfinite(value) && (value != 0 || key.equals("mean"));
            if (!holds) throw broken("'" + key + "': expected a list of finite numbers" + (key.equals("mean") ? "" : " other than 0"));
            if (key.equals("mean")) mean = values;
            else scale = values;
        } else if (key.equals("color")) {
            color = oneOf(key, name, "rgb", "bgr", "gray");
        } else {
            resize = oneOf(key, name, "stretch", "letterbox", "crop");
        }
    }

    private static float[] floats(String numbers) {
        final String[] parts = numbers.split(",");
        final float[] values = new float[parts.length];
        for (int i = 0; i < parts.length; ++i) {
            final String part = parts[i].trim();
            if (!NUMBER.matcher(part).matches()) throw broken("expected a number, found '" + part + "'");
            values[i] = Float.parseFloat(part);
        }
        return values;
    }

    private static String oneOf(String key, String name, String... names) {
        if (!Arrays.asList(names).contains(name)) throw broken("'" + key + "': expected one of " + String.join(", ", names));
        return name;
    }

    private static MicroRTException broken(String what) {
        return new MicroRTException(MicroRTException.Status.INVALID_MODEL, "metadata '" + KEY + "': " + what);
    }

    static String key() {
        return KEY;
    }

    /** One, or one a channel. */
    public float[] mean() {
        return mean.clone();
    }

    /** One, or one a channel: an element is (pixel - mean) * scale. */
    public float[] scale() {
        return scale.clone();
    }

    /** "rgb", "bgr" or "gray": the order in which the network takes channels. */
    public String color() {
        return color;
    }

    /** How a picture of other sides is brought to the input's: "stretch", "letterbox" or "crop". That is for the caller to do. */
    public String resize() {
        return resize;
    }

    /**
     * Writes a picture into an interpreter's input: FLOAT32, or an integer type of at most 16 bits.
     *
     * @param pixels 0xAARRGGBB each, row by row, as many as the input has: what Bitmap.getPixels and BufferedImage.getRGB give
     */
    public void write(int[] pixels, Tensor input) {
        final ImageLayout layout = ImageLayout.of(input);
        if (pixels.length != layout.height * layout.width) {
            throw new IllegalArgumentException("input '" + input.name() + "': expected " + layout.height + "x" + layout.width
                + " pixels, found " + pixels.length);
        }
        checkCount("mean", mean, layout, input);
        checkCount("scale", scale, layout, input);
        final ByteBuffer data = input.data();
        for (int c = 0; c < layout.channels; ++c) {
            final float m = mean[mean.length == 1 ? 0 : c], s = scale[scale.length == 1 ? 0 : c];
            for (int i = 0; i < pixels.length; ++i) {
                put(data, layout.elementOf(i, c), (channel(pixels[i], c, layout.channels) - m) * s, input);
            }
        }
    }

    private static void checkCount(String key, float[] values, ImageLayout layout, Tensor input) {
        if (values.length == 1 || values.length == layout.channels) return;
        throw new IllegalArgumentException("input '" + input.name() + "': the file states " + values.length + " values of " + key + " for "
            + layout.channels + " channels");
    }

    private int channel(int pixel, int c, int channels) {
        final int red = pixel >> 16 & 255, green = pixel >> 8 & 255, blue = pixel & 255;
        if (channels == 1) return 77 * red + 150 * green + 29 * blue >> 8; // as micrort-run makes gray of colors
        return c == 1 ? green : (c == 0) == color.equals("bgr") ? blue : red;
    }

    /** Integers that stand for real numbers have a scale. */
    private static void put(ByteBuffer data, int element, float value, Tensor input) {
        final long integer = (long) Math.rint(input.scale() == 0 ? value : value / input.scale() + input.zeroPoint());
        switch (input.type()) {
            case FLOAT32: data.putFloat(4 * element, value); break;
            case INT8: data.put(element, (byte) clamp(integer, -128, 127)); break;
            case UINT8: data.put(element, (byte) clamp(integer, 0, 255)); break;
            case INT16: data.putShort(2 * element, (short) clamp(integer, -32768, 32767)); break;
            case UINT16: data.putShort(2 * element, (short) clamp(integer, 0, 65535)); break;
            default: throw new IllegalArgumentException("input '" + input.name() + "' is " + input.type() + ": expected FLOAT32, INT8, UINT8, INT16 or UINT16");
        }
    }

    private static long clamp(long value, long least, long most) {
        return Math.max(least, Math.min(most, value));
    }
}

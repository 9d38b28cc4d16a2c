package org.micrort;

/** Where an input of one picture has its elements. */
final class ImageLayout {
    final int channels;
    final int height;
    final int width;
    private final boolean isPlanar;

    private ImageLayout(long channels, long height, long width, boolean isPlanar) {
        this.channels = (int) channels;
        this.height = (int) height;
        this.width = (int) width;
        this.isPlanar = isPlanar;
    }

    static ImageLayout of(Tensor input) {
        final long[] shape = input.shape();
        final boolean isOne = shape.length == 4 && shape[0] == 1;
        if (isOne && isColor(shape[1])) return new ImageLayout(shape[1], shape[2], shape[3], true);
        if (isOne && isColor(shape[3])) return new ImageLayout(shape[3], shape[1], shape[2], false);
        throw new IllegalArgumentException("input '" + input.name() + "': expected one picture of 1 or 3 channels, found shape "
            + java.util.Arrays.toString(shape));
    }

    private static boolean isColor(long channels) {
        return channels == 1 || channels == 3;
    }

    int elementOf(int pixel, int channel) {
        return isPlanar ? channel * height * width + pixel : pixel * channels + channel;
    }
}

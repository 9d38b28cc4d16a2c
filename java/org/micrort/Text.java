package org.micrort;

import java.nio.charset.StandardCharsets;

/** Names of a model are any bytes: what is no UTF-8 becomes the replacement character. */
final class Text {
    private Text() {}

    static String of(byte[] bytes) {
        return new String(bytes, StandardCharsets.UTF_8);
    }

    /** Below, a NUL would end the text: a path would be another one. */
    static byte[] bytes(String text) {
        if (text != null && text.indexOf('\0') >= 0) throw new IllegalArgumentException("a name or path with a NUL character");
        return text == null ? null : text.getBytes(StandardCharsets.UTF_8);
    }
}

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The part of JSON that the adapter protocol uses: no fractions. It has no dependency. If your port already
 * has a JSON library, use that library instead.
 *
 * <p>A value is null, a Boolean, a Long, a String, a List of values, or a Map from strings to values. An
 * integer of more than 64 bits becomes the nearest Long.
 */
final class Json {
    private static final int DEEPEST = 1000; // lists and objects in one another

    private final String text;
    private int place = 0;

    private Json(String text) {
        this.text = text;
    }

    /** Returns the value of a text that holds exactly one value. */
    static Object parse(String text) {
        Json parser = new Json(text);
        Object value = parser.value(0);
        if (parser.next() != END) {
            throw parser.fault("something follows the value");
        }
        return value;
    }

    /** Returns a field of an object; null if there is none, or if the value is not an object. */
    static Object field(Object value, String name) {
        return value instanceof Map<?, ?> fields ? fields.get(name) : null;
    }

    /** Returns the text of a value. */
    static String write(Object value) {
        StringBuilder out = new StringBuilder();
        write(out, value);
        return out.toString();
    }

    private static void write(StringBuilder out, Object value) {
        String before = "";
        if (value instanceof String string) {
            writeString(out, string);
        } else if (value instanceof List<?> items) {
            out.append('[');
            for (Object item : items) {
                write(out.append(before), item);
                before = ",";
            }
            out.append(']');
        } else if (value instanceof Map<?, ?> fields) {
            out.append('{');
            for (Map.Entry<?, ?> each : fields.entrySet()) {
                writeString(out.append(before), (String) each.getKey());
                write(out.append(':'), each.getValue());
                before = ",";
            }
            out.append('}');
        } else {
            out.append(value); // null, a Boolean or a number
        }
    }

    private static void writeString(StringBuilder out, String string) {
        out.append('"');
        for (char each : string.toCharArray()) {
            if (each < ' ') {
                out.append(String.format("\\u%04x", (int) each));
            } else if (each == '"' || each == '\\') {
                out.append('\\').append(each);
            } else {
                out.append(each);
            }
        }
        out.append('"');
    }

    private static final int END = -1;

    private IllegalArgumentException fault(String what) {
        return new IllegalArgumentException(what + " at character " + place);
    }

    /** Returns the next character that is not white space, without consuming it. */
    private int next() {
        while (place < text.length() && " \t\r\n".indexOf(text.charAt(place)) >= 0) {
            place++;
        }
        return place < text.length() ? text.charAt(place) : END;
    }

    /** Consumes a character if it is the next one. */
    private boolean skip(char character) {
        boolean found = next() == character;
        place += found ? 1 : 0;
        return found;
    }

    private void require(char character) {
        if (!skip(character)) {
            throw fault("no " + character);
        }
    }

    private Object value(int depth) {
        if (depth > DEEPEST) {
            throw fault("nested too deeply");
        }
        if (next() == '"') {
            return string();
        } else if (skip('[')) {
            return list(depth);
        } else if (skip('{')) {
            return object(depth);
        }
        int start = place;
        while (place < text.length() && ",]} \t\r\n".indexOf(text.charAt(place)) < 0) {
            place++;
        }
        String word = text.substring(start, place);
        switch (word) {
            case "null":
                return null;
            case "true":
                return true;
            case "false":
                return false;
            default:
                return nearest(new BigInteger(word)); // NumberFormatException names the word.
        }
    }

    /** Returns the 64-bit integer that is nearest to an integer. */
    private static Long nearest(BigInteger number) {
        if (number.bitLength() < Long.SIZE) {
            return number.longValue();
        }
        return number.signum() < 0 ? Long.MIN_VALUE : Long.MAX_VALUE;
    }

    private List<Object> list(int depth) {
        List<Object> items = new ArrayList<>();
        if (skip(']')) {
            return items;
        }
        do {
            items.add(value(depth + 1));
        } while (skip(','));
        require(']');
        return items;
    }

    private Map<String, Object> object(int depth) {
        Map<String, Object> fields = new TreeMap<>();
        if (skip('}')) {
            return fields;
        }
        do {
            if (next() != '"') {
                throw fault("no name of a field");
            }
            String name = string();
            require(':');
            fields.put(name, value(depth + 1));
        } while (skip(','));
        require('}');
        return fields;
    }

    private String string() {
        StringBuilder out = new StringBuilder();
        place++;
        while (place < text.length()) {
            char each = text.charAt(place++);
            if (each == '"') {
                return out.toString();
            } else if (each != '\\') {
                out.append(each);
            } else if (place < text.length()) {
                out.append(escaped(text.charAt(place++)));
            }
        }
        throw fault("a text without end");
    }

    private char escaped(char escape) {
        if (escape == 'u' && place + 4 <= text.length()) {
            place += 4;
            return (char) Integer.parseInt(text.substring(place - 4, place), 16);
        }
        int at = "bfnrt\"\\/".indexOf(escape);
        if (at < 0) {
            throw fault("an unknown escape in the text");
        }
        return "\b\f\n\r\t\"\\/".charAt(at);
    }
}

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** A Rejoin adapter: it answers requests, one JSON object on each line. */
final class Adapter {
    private Adapter() {}

    /** One operation: it takes the input and the requested reading, and returns the output. */
    private interface Operation {
        Object perform(Object input, String reading);
    }

    // ---- Fill in here ----------------------------------------------------------------------------
    // Write one function for each operation. It takes the input and the requested reading, and returns
    // the output. It throws Bt.Rejected for input that the protocol refuses. The functions below are
    // examples: replace them with your own code.

    private static final Map<String, Operation> OPERATIONS = new TreeMap<>(Map.of(
            "config-merge/encode", Adapter::encode,
            "conflict-detection/classify-version-map", Adapter::classifyVersionMap));

    private static Object encode(Object input, String reading) {
        Object value = Bt.fromJson(Json.field(input, "value"));
        return Map.of("encoded", Bt.toHex(Bt.encode(value)));
    }

    private static Object classifyVersionMap(Object input, String reading) {
        Object local = Json.field(input, "local");
        Object remote = Json.field(input, "remote");
        boolean ours = false;
        boolean theirs = false;
        for (Object map : new Object[] {local == null ? Map.of() : local, remote}) {
            for (Object each : ((Map<?, ?>) map).keySet()) {
                String nickname = (String) each;
                long number = number(map, nickname);
                if (nickname.isEmpty() || nickname.matches("(?s).*[,/\0].*")) {
                    throw new Bt.Rejected(Json.write(nickname) + " is not a nickname");
                } else if (number < 0 || number >= 1L << 53) {
                    throw new Bt.Rejected(number + " is not a version number");
                }
                ours |= number(local, nickname) > number(remote, nickname);
                theirs |= number(local, nickname) < number(remote, nickname);
            }
        }
        String classification = ours ? "stale" : theirs ? "overwrite" : "same";
        if (local == null) {
            classification = "overwrite";
        } else if (ours && theirs) {
            classification = "conflict";
        }
        return Map.of("classification", classification);
    }

    private static long number(Object map, String nickname) {
        Object number = Json.field(map, nickname);
        return number == null ? 0 : (Long) number;
    }
    // ----------------------------------------------------------------------------------------------

    private static Object hello() {
        Map<String, Object> hello = new TreeMap<>();
        hello.put("type", "hello");
        hello.put("protocol", 1L);
        hello.put("name", "my-port");
        hello.put("version", "0.1.0");
        hello.put("language", "Java");
        hello.put("operations", List.copyOf(OPERATIONS.keySet()));
        hello.put("readings", new TreeMap<>(
                Map.of("config-merge", "document", "conflict-detection", "repaired")));
        hello.put("max_in_flight", 64L); // Requests that wait count as late: declare 1 if some take seconds.
        // Operation -> features that your code does not have: docs/adapter-protocol.md
        hello.put("without", Collections.emptyMap());
        return hello;
    }

    private static Object answer(Object request) {
        Object id = Json.field(request, "id");
        Operation operation = OPERATIONS.get((String) Json.field(request, "operation"));
        if (operation == null) {
            return Map.of("id", id, "error", Map.of("message", "unsupported operation"));
        }
        try {
            String reading = (String) Json.field(request, "reading");
            return Map.of("id", id, "output", operation.perform(Json.field(request, "input"), reading));
        } catch (Bt.Rejected fault) {
            return Map.of("id", id, "rejected", Map.of("reason", fault.getMessage()));
        } catch (RuntimeException fault) { // A bug is not a rejection.
            return Map.of("id", id, "error", Map.of("message", fault.toString()));
        }
    }

    /** Answers each line as soon as it arrives. Ends at bye or at the end of the input. */
    public static void main(String[] arguments) throws IOException {
        BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        PrintStream replies = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            Object request = Json.parse(line);
            Object type = Json.field(request, "type");
            if ("bye".equals(type)) {
                break;
            }
            replies.print(Json.write("hello".equals(type) ? hello() : answer(request)) + "\n");
            replies.flush();
        }
    }
}

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/**
 * Says what java.util.regex makes of patterns. A line in: flags, pattern and names, separated by spaces, each text as the hexadecimal digits of its UTF-16 units after an x.
 * A line out: a 1 or 0 for each name, an E for one on which matching failed (the stack overflowed) or did not come to an end, or "refused" and the reason.
 */
public final class Patterns {
  /** Characters looked at for one name: what goes beyond is taken to have no end. */
  private static final long MOST = 5_000_000;

  private Patterns() {}

  public static void main(String[] args) throws Exception {
    BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII));
    PrintStream out = new PrintStream(System.out, false, StandardCharsets.UTF_8);
    out.println(System.getProperty("java.version"));
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      String[] words = line.split(" ");
      out.println(answer(Integer.parseInt(words[0]), words));
      out.flush();
    }
  }

  private static String answer(int flags, String[] words) {
    Pattern pattern;
    try {
      pattern = Pattern.compile(text(words[1]), flags);
    } catch (PatternSyntaxException e) {
      return "refused " + e.getDescription();
    } catch (RuntimeException | StackOverflowError e) {
      return "refused " + e;
    }
    StringBuilder verdicts = new StringBuilder();
    for (int i = 2; i < words.length; i++) {
      try {
        verdicts.append(pattern.matcher(new Counted(text(words[i]), new long[1])).matches() ? '1' : '0');
      } catch (RuntimeException | StackOverflowError e) {
        verdicts.append('E');
      }
    }
    return verdicts.toString();
  }

  private static String text(String word) {
    StringBuilder text = new StringBuilder();
    for (int i = 1; i < word.length(); i += 4) text.append((char) Integer.parseInt(word.substring(i, i + 4), 16));
    return text.toString();
  }

  /** A name that can be looked at only so often. */
  private record Counted(String text, long[] looks) implements CharSequence {
    @Override public char charAt(int index) {
      if (++looks[0] > MOST) throw new IllegalStateException("no end in sight");
      return text.charAt(index);
    }
    @Override public int length() {
      return text.length();
    }
    @Override public CharSequence subSequence(int start, int end) {
      return new Counted(text.substring(start, end), looks);
    }
    @Override public String toString() {
      return text;
    }
  }
}

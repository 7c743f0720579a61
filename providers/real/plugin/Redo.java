package cdcctl.standin;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.apache.kafka.connect.errors.ConnectException;

/**
 * A scripted redo: {@code [{"xid":"3:7.22.1180","thread":1,"start":…,"changes":[SCN,…],"commit":SCN}]}; without {@code commit} a
 * transaction stays open.
 */
record Redo(List<Transaction> transactions) {
    record Transaction(String xid, long thread, long start, List<Long> changes, long commit) {
        boolean open(long scn) { return start <= scn && (commit == 0 || commit > scn); }
    }

    static Redo parse(String text) {
        List<Transaction> transactions = new ArrayList<>();
        try {
            for (JsonNode one : new ObjectMapper().readTree(text.isEmpty() ? "[]" : text)) {
                List<Long> changes = new ArrayList<>();
                one.path("changes").forEach(change -> changes.add(change.asLong()));
                transactions.add(new Transaction(one.path("xid").asText(), one.path("thread").asLong(1), one.path("start").asLong(), changes,
                    one.path("commit").asLong()));
            }
        } catch (JsonProcessingException e) {
            throw new ConnectException("standin.redo", e);
        }
        transactions.sort(Comparator.comparingLong(Transaction::commit));
        return new Redo(transactions);
    }

    boolean isEmpty() { return transactions.isEmpty(); }

    /** Transactions open at this SCN. */
    List<Transaction> openAt(long scn) { return transactions.stream().filter(one -> one.open(scn)).toList(); }

    /** Transactions that commit after one SCN and up to another. */
    List<Transaction> committedIn(long after, long to) {
        return transactions.stream().filter(one -> one.commit > after && one.commit <= to).toList();
    }
}

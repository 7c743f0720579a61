import java.math.BigDecimal;
import java.sql.CallableStatement;
import java.sql.Clob;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Timestamp;
import java.sql.Types;
import java.util.Objects;
import java.util.Properties;
import oracle.jdbc.OracleCallableStatement;
import oracle.jdbc.OracleTypes;

/** Runs every check with Oracle's own JDBC driver (thin) against a server; prints PASS or FAIL a line. Arguments: NAME=PORT ... */
public class ForeignDriver {
  static final String BIG = "12345678901234567890123456789012345678";

  interface Check {
    void run() throws Exception;
  }

  public static void main(String[] arguments) throws Exception {
    for (String argument : arguments) {
      int at = argument.lastIndexOf('=');
      new ForeignDriver(argument.substring(0, at), argument.substring(at + 1)).run();
    }
  }

  final String name;
  final String port;
  final String url;
  Connection connection;

  ForeignDriver(String name, String port) {
    this.name = name;
    this.port = port;
    this.url = "jdbc:oracle:thin:@//127.0.0.1:" + port + "/ORCLPDB1";
  }

  void check(String title, Check check) {
    try {
      check.run();
      System.out.println("PASS " + name + ": " + title);
    } catch (Throwable error) {
      System.out.println(("FAIL " + name + ": " + title + ": " + error).replace('\n', ' '));
    }
  }

  static void same(Object got, Object want) {
    if (!Objects.equals(got, want)) throw new AssertionError("got " + got + ", want " + want);
  }

  static Connection connect(String url, String user, String password) throws SQLException {
    Properties properties = new Properties();
    properties.put("user", user);
    properties.put("password", password);
    properties.put("oracle.net.CONNECT_TIMEOUT", "5000");
    properties.put("oracle.jdbc.ReadTimeout", "12000");
    return DriverManager.getConnection(url, properties);
  }

  int codeOf(Check check) throws Exception {
    try {
      check.run();
    } catch (SQLException error) {
      return error.getErrorCode();
    }
    throw new AssertionError("it did not fail");
  }

  void run() throws Exception {
    connection = connect(url, "miner", "Pä$$ w0rd-€");
    check("types", () -> {
      for (int time = 0; time < 2; time++) types();
    });
    check("binds", this::binds);
    check("many", this::many);
    check("errors", () -> {
      try (Statement statement = connection.createStatement()) {
        same(codeOf(() -> statement.executeQuery("SELECT * FROM NOPE")), 942);
        same(codeOf(() -> statement.execute("BEGIN DBMS_LOGMNR.END_LOGMNR; END;")), 1307);
        dual(connection);
      }
    });
    check("plsql", this::plsql);
    check("tables", this::tables);
    check("lobs", this::lobs);
    check("transactions", this::transactions);
    check("cancel", () -> {
      try (Statement statement = connection.createStatement()) {
        statement.setQueryTimeout(1);
        same(codeOf(() -> statement.execute("BEGIN SLEEP(30); END;")), 1013);
      }
      dual(connection);
    });
    check("logon", () -> {
      same(codeOf(() -> connect(url, "miner", "no")), 1017);
      same(codeOf(() -> connect(url, "locked", "tiger")), 28000);
      same(codeOf(() -> connect(url.replace("ORCLPDB1", "NOPE"), "c", "tiger")), 12514);
      String sid = "jdbc:oracle:thin:@127.0.0.1:" + port + ":";
      same(codeOf(() -> connect(sid + "NOPE", "c", "tiger")), 12505);
      try (Connection bySid = connect(sid + "ORCL", "c", "tiger")) {
        dual(bySid);
      }
    });
    check("close", () -> connection.close());
  }

  static void dual(Connection on) throws SQLException {
    try (Statement statement = on.createStatement(); ResultSet rows = statement.executeQuery("SELECT DUMMY FROM DUAL")) {
      rows.next();
      same(rows.getString(1), "X");
    }
  }

  void types() throws SQLException {
    try (Statement statement = connection.createStatement(); ResultSet rows = statement.executeQuery("SELECT * FROM TYPES")) {
      rows.next();
      same(rows.getLong(1), 1L);
      same(rows.getBigDecimal(2), new BigDecimal(BIG));
      same(rows.getBigDecimal(3), new BigDecimal("-0.000001"));
      same(rows.getString(5), "héllo ✓");
      same(rows.getTimestamp(8), Timestamp.valueOf("2024-02-29 23:59:58.123"));
      same(rows.getObject(9, java.time.OffsetDateTime.class).toInstant().toString(), "2024-02-29T23:59:58.123Z");
      same(rows.getBytes(10).length, 2);
      rows.next();
      same(rows.getBigDecimal(2).toPlainString(), "-" + BIG);
      for (int i = 4; i <= 10; i++) same(rows.getObject(i), null);
      rows.next();
      same(rows.getBigDecimal(2).toBigInteger().toString(), "18446744073709551615");
      same(rows.next(), false);
      same(rows.getMetaData().getPrecision(2), 38);
    }
  }

  void binds() throws SQLException {
    for (int time = 0; time < 2; time++)
      try (PreparedStatement statement = connection.prepareStatement("SELECT :1, :2, :3, :4, :5 FROM DUAL")) {
        statement.setBigDecimal(1, new BigDecimal(BIG));
        statement.setString(2, "é".repeat(3000));
        statement.setTimestamp(3, Timestamp.valueOf("2024-01-02 03:04:05.678"));
        statement.setNull(4, Types.VARCHAR);
        statement.setBytes(5, new byte[] {1, 2});
        try (ResultSet rows = statement.executeQuery()) {
          rows.next();
          same(rows.getString(1), BIG);
          same(rows.getString(2), "é".repeat(3000));
          same(rows.getTimestamp(3), Timestamp.valueOf("2024-01-02 03:04:05.678"));
          same(rows.getObject(4), null);
          same(rows.getBytes(5).length, 2);
        }
      }
  }

  void many() throws SQLException {
    for (int size : new int[] {10, 1000})
      try (PreparedStatement statement = connection.prepareStatement("SELECT ID, TXT, SAME FROM BIG WHERE N <= ?")) {
        statement.setFetchSize(size);
        statement.setInt(1, 3000);
        int seen = 0;
        try (ResultSet rows = statement.executeQuery()) {
          while (rows.next()) {
            seen++;
            same(rows.getInt(1), seen);
            same(rows.getString(2), "x".repeat(seen % 300) + "é✓");
            same(rows.getString(3), seen % 7 == 0 ? null : "same");
          }
        }
        same(seen, 3000);
      }
  }

  void plsql() throws SQLException {
    for (String who : new String[] {"you", "them"})
      try (CallableStatement call = connection.prepareCall("BEGIN :scn := 1; :txt := :i; END;")) {
        call.registerOutParameter(1, Types.NUMERIC);
        call.registerOutParameter(2, Types.VARCHAR);
        call.setString(3, who);
        call.execute();
        same(call.getBigDecimal(1).toPlainString(), BIG);
        same(call.getString(2), "hello " + who);
      }
  }

  void tables() throws SQLException {
    String block = "BEGIN REVERSED(:words, :numbers, :words_out, :numbers_out); END;";
    try (OracleCallableStatement call = (OracleCallableStatement) connection.prepareCall(block)) {
      call.setPlsqlIndexTable(1, new String[] {"a", "é", "c"}, 3, 3, OracleTypes.VARCHAR, 10);
      call.setPlsqlIndexTable(2, new int[] {1, 2, 3}, 3, 3, OracleTypes.NUMBER, 0);
      call.registerIndexTableOutParameter(3, 10, OracleTypes.VARCHAR, 10);
      call.registerIndexTableOutParameter(4, 10, OracleTypes.NUMBER, 0);
      call.execute();
      same(String.join(",", (String[]) call.getPlsqlIndexTable(3)), "c,é,a");
      same(java.util.Arrays.toString((BigDecimal[]) call.getPlsqlIndexTable(4)), "[3, 2, 1]");
    }
  }

  void lobs() throws SQLException {
    for (int time = 0; time < 2; time++)
      try (Statement statement = connection.createStatement(); ResultSet rows = statement.executeQuery("SELECT ID, DDL FROM CLOBS")) {
        rows.next();
        same(rows.getString(2), "CREATE TABLE é✓ ".repeat(5000));
        rows.next();
        Clob located = rows.getClob(2);
        same(located.getSubString(1, (int) located.length()), "short");
        rows.next();
        same(rows.getString(2), null);
      }
    try (Statement statement = connection.createStatement(); ResultSet rows = statement.executeQuery("SELECT * FROM LONGS")) {
      StringBuilder seen = new StringBuilder();
      while (rows.next()) {
        String text = rows.getString(1);
        seen.append(text == null ? "null" : text.length()).append(rows.getString(2)).append(' ');
      }
      same(seen.toString(), "7A nullB 10000C ");
    }
  }

  void transactions() throws SQLException {
    connection.setAutoCommit(false);
    try (PreparedStatement update = connection.prepareStatement("UPDATE T SET A = ?")) {
      update.setInt(1, 1);
      same(update.executeUpdate(), 3);
      connection.commit();
    }
    try (PreparedStatement insert = connection.prepareStatement("INSERT INTO T VALUES (?, ?)")) {
      for (int i = 0; i < 2000; i++) {
        insert.setInt(1, i);
        insert.setString(2, "z".repeat(100));
        insert.addBatch();
      }
      same(insert.executeBatch().length, 2000);
      connection.rollback();
    }
    connection.setClientInfo("OCSID.MODULE", "m");
    same(connection.isValid(5), true);
    same(connection.getMetaData().getDatabaseProductName(), "Oracle");
  }
}

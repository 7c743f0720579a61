package sh.oso.connect.oracle;

import cdcctl.standin.StandInConnector;

/** The stand-in under the real connector's name, for configurations that a translation has written. */
public final class OracleCdcSourceConnector extends StandInConnector { }

export interface ConnectLimits {
  /** One attempt of a read. Default 15,000 ms. */
  readonly callMillis?: number;
  /**
   * A stop or a resume. Default 30,000 ms. A healthy leader answers within milliseconds, or within seconds after a
   * rebalance; a shorter limit would leave the outcome of calls to a slow cluster unknown without need. A longer one
   * gains nothing: a follower of 4.3 answers 500 for a silent leader after 30 s, one of 3.9 never does, and 30 s is
   * what a worker gives each write to the config topic.
   */
  readonly orderMillis?: number;
  /** A PATCH, POST or DELETE. Default 100,000 ms: the worker's own timer is 90 s. */
  readonly patchMillis?: number;
  /** All attempts of one call together. Default 30,000 ms. */
  readonly retryMillis?: number;
  /** The same until the URL has answered once, so that a wrong URL is reported soon. Default 5,000 ms. */
  readonly firstContactMillis?: number;
  /** The same while the worker itself reports that it is starting or stopping. Default: as for every other answer. */
  readonly startingMillis?: number;
  /** Largest answer. Default 64 MiB. */
  readonly answerBytes?: number;
}

export const CONNECT_LIMITS: Required<ConnectLimits> = {
  callMillis: 15_000,
  orderMillis: 30_000,
  patchMillis: 100_000,
  retryMillis: 30_000,
  firstContactMillis: 5000,
  startingMillis: 0,
  answerBytes: 64 * 1024 * 1024,
};

/** Milliseconds. */
export interface JmxLimits {
  /** The limit for one connection with its handshakes; 5000. */
  readonly connectMillis?: number;
  /** The limit for one call; 10000. */
  readonly callMillis?: number;
}

export const JMX_LIMITS: Required<JmxLimits> = { connectMillis: 5_000, callMillis: 10_000 };

/** Milliseconds. */
export interface KafkaLimits {
  /** The limit for a connection with its login; 5000. */
  readonly connectMillis?: number;
  /** The limit for one request; 20000. */
  readonly requestMillis?: number;
  /** The limit for one read of a topic, where its own bound is longer; 60000. */
  readonly readMillis?: number;
}

export const KAFKA_LIMITS: Required<KafkaLimits> = {
  connectMillis: 5_000,
  requestMillis: 20_000,
  readMillis: 60_000,
};

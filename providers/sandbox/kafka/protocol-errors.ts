/** The error codes the sandbox broker gives (https://kafka.apache.org/protocol#protocol_error_codes). */
export const NONE = 0;
export const OFFSET_OUT_OF_RANGE = 1;
export const CORRUPT_MESSAGE = 2;
export const UNKNOWN_TOPIC_OR_PARTITION = 3;
export const REQUEST_TIMED_OUT = 7;
export const NOT_ENOUGH_REPLICAS = 19;
export const TOPIC_AUTHORIZATION_FAILED = 29;
export const GROUP_AUTHORIZATION_FAILED = 30;
export const UNSUPPORTED_SASL_MECHANISM = 33;
export const ILLEGAL_SASL_STATE = 34;
export const UNSUPPORTED_VERSION = 35;
export const TOPIC_ALREADY_EXISTS = 36;
export const INVALID_REQUEST = 42;
export const SASL_AUTHENTICATION_FAILED = 58;
export const INVALID_RECORD = 87;
export const MESSAGE_TOO_LARGE = 10;
export const INVALID_PRODUCER_ID_MAPPING = 49;

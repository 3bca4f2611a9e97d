/** Lengths of fields in requests that have no subject of their own; the rest are in the file of their subject. */

/** Tokens that the service issues, from emails, leases, forms and challenges: all are below 50 characters. */
export const TOKEN_LENGTH_MAX = 100
/** Refresh tokens name their family and version as well. */
export const REFRESH_TOKEN_LENGTH_MAX = 1_024
/** An address of a wallet, in any spelling of any chain. */
export const WALLET_ADDRESS_LENGTH_MAX = 200
/** A signature of a wallet's key over a challenge: 132 characters on EVM chains, 88 on Solana. */
export const WALLET_SIGNATURE_LENGTH_MAX = 200
/** An identifier of a key in a custody system; vendors use UUIDs and resource names. */
export const CUSTODY_KEY_ID_LENGTH_MAX = 200
/** A network address with its prefix: 43 characters for the longest IPv6 network. */
export const NETWORK_ADDRESS_LENGTH_MAX = 64
/** A code of an authenticator app, with the spaces that people type. */
export const TOTP_CODE_LENGTH_MAX = 20
/** A recovery code, with the dashes that people type. */
export const RECOVERY_CODE_LENGTH_MAX = 40
/** WebAuthn limits the handle of a user to 64 bytes: 88 characters of base64. */
export const PASSKEY_USER_HANDLE_LENGTH_MAX = 200
/** WebAuthn knows seven transports of authenticators, with short names. */
export const PASSKEY_TRANSPORTS_MAX = 10
export const PASSKEY_TRANSPORT_LENGTH_MAX = 20
/** Event types that one webhook lists; there are fewer. */
export const WEBHOOK_EVENT_TYPES_MAX = 100
/** The type of a recipient (contract 11). */
export const RECIPIENT_TYPE_LENGTH_MAX = 50
/** A file of the dashboard; names end in a hash. */
export const ASSET_NAME_LENGTH_MAX = 200

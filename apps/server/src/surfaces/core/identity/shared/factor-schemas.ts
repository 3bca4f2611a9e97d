import Type, { type Static } from 'typebox'
import type { PasskeyAssertion, PasskeyRequest } from '../../../../identity/index.ts'
import {
  PASSKEY_FIELD_LENGTH_MAX,
  PASSKEY_TRANSPORT_LENGTH_MAX,
  PASSKEY_TRANSPORTS_MAX,
  PASSKEY_USER_HANDLE_LENGTH_MAX,
  RECOVERY_CODE_LENGTH_MAX,
  TOTP_CODE_LENGTH_MAX,
} from '../../../../kernel/index.ts'
import { ok } from '../../../http/index.ts'
import { orNull } from '../../formats.ts'

/** A field of a passkey's response, in base64url. */
const bytes = (description: string) =>
  Type.String({ minLength: 1, maxLength: PASSKEY_FIELD_LENGTH_MAX, pattern: '^[A-Za-z0-9_-]*$', description })

const common = {
  id: bytes('Credential id.'),
  rawId: bytes('Credential id again.'),
  type: Type.Literal('public-key', { description: 'Always public-key.' }),
  authenticatorAttachment: Type.Optional(
    Type.Enum(['platform', 'cross-platform'], { description: 'Where the authenticator is; not checked.' }),
  ),
  clientExtensionResults: Type.Optional(
    Type.Object({}, { additionalProperties: true, description: 'Results of extensions; not checked.' }),
  ),
}
const clientDataJSON = bytes('What the browser signed for: type, challenge and origin.')

/** WebAuthn's AuthenticationResponseJSON. */
export const PasskeyAssertionBody = Type.Object(
  {
    ...common,
    response: Type.Object(
      {
        clientDataJSON,
        authenticatorData: bytes('The statement of the authenticator: relying party, flags and counter.'),
        signature: bytes('Signature over both.'),
        userHandle: Type.Optional(
          orNull(
            Type.String({ maxLength: PASSKEY_USER_HANDLE_LENGTH_MAX }),
            'The user that the passkey was created for; not checked.',
          ),
        ),
      },
      { description: 'The response of the authenticator.' },
    ),
  },
  { $id: 'PasskeyAssertion', description: "The use of a passkey: `toJSON()` of the browser's credential." },
)

/** A passkey's assertion in a request body; extensions are dropped. */
export function passkeyAssertionOf(
  body: Static<typeof PasskeyAssertionBody> | undefined,
): PasskeyAssertion | undefined {
  return body && ({ ...body, clientExtensionResults: {} } as PasskeyAssertion)
}

/** WebAuthn's RegistrationResponseJSON. */
export const PasskeyAttestationBody = Type.Object(
  {
    ...common,
    response: Type.Object(
      {
        clientDataJSON,
        attestationObject: bytes('The new key. A statement about the model of the authenticator is ignored.'),
        transports: Type.Optional(
          Type.Array(Type.String({ maxLength: PASSKEY_TRANSPORT_LENGTH_MAX }), {
            maxItems: PASSKEY_TRANSPORTS_MAX,
            description: 'How the authenticator can be reached; sent back with later requests for it.',
          }),
        ),
      },
      { description: 'The response of the authenticator.' },
    ),
  },
  { $id: 'PasskeyAttestation', description: "A new passkey: `toJSON()` of the browser's credential." },
)

/** The fields of a request that presents a second factor. */
export const presentedFactor = {
  totp: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: TOTP_CODE_LENGTH_MAX,
      description: 'The current code of your authenticator app.',
    }),
  ),
  recoveryCode: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: RECOVERY_CODE_LENGTH_MAX,
      description: 'One of your recovery codes; it works once.',
    }),
  ),
  passkey: Type.Optional(PasskeyAssertionBody),
}

const Descriptor = Type.Object(
  {
    type: Type.Literal('public-key', { description: 'Always public-key.' }),
    id: Type.String({ description: 'Credential id.' }),
    transports: Type.Array(Type.String(), { description: 'How the authenticator can be reached.' }),
  },
  { description: 'A passkey.' },
)

const rpId = Type.String({ description: 'The domain that passkeys belong to.' })
const timeout = Type.Integer({ description: 'Milliseconds until the challenge expires.' })
const userVerification = Type.Literal('required', { description: 'Always required.' })

export const PasskeyRequestData = Type.Object(
  {
    challenge: Type.String({ description: 'What the passkey signs; valid for one use.' }),
    rpId,
    timeout,
    userVerification,
    allowCredentials: Type.Array(Descriptor, { description: 'Your passkeys; empty: any passkey of this domain.' }),
  },
  { $id: 'PasskeyRequest', description: 'Options for `navigator.credentials.get()`, in their JSON form.' },
)

export const presentRequest = (request: PasskeyRequest) => ok(request)

export const PasskeyCreationData = Type.Object(
  {
    challenge: Type.String({ description: 'What the new passkey is created for; valid for one use.' }),
    rp: Type.Object(
      { id: rpId, name: Type.String({ description: 'Name of the service.' }) },
      { description: 'The service.' },
    ),
    user: Type.Object(
      {
        id: Type.String({ description: 'Your handle.' }),
        name: Type.String({ description: 'Your email address.' }),
        displayName: Type.String({ description: 'Your name.' }),
      },
      { description: 'You.' },
    ),
    pubKeyCredParams: Type.Array(
      Type.Object({
        type: Type.Literal('public-key', { description: 'Always public-key.' }),
        alg: Type.Integer({ description: 'COSE algorithm.' }),
      }),
      { description: 'Accepted algorithms, best first.' },
    ),
    timeout,
    excludeCredentials: Type.Array(Descriptor, { description: 'The passkeys that you have.' }),
    authenticatorSelection: Type.Object(
      {
        residentKey: Type.Literal('preferred', { description: 'Always preferred.' }),
        userVerification,
      },
      { description: 'What the authenticator must be able to do.' },
    ),
    attestation: Type.Literal('none', { description: 'Always none.' }),
  },
  { $id: 'PasskeyCreation', description: 'Options for `navigator.credentials.create()`, in their JSON form.' },
)

export const factorNames = Type.Array(Type.Enum(['totp', 'passkey'], { description: 'A kind of second factor.' }), {
  description: 'The second factors that you have. A recovery code replaces any of them.',
})

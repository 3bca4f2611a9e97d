import Type from 'typebox'
import {
  type ActivatedFactor,
  type AddedPasskey,
  addPasskey,
  beginPasskey,
  beginTotp,
  confirmTotp,
  type IdentityParts,
  listFactors,
  type PasskeyCreation,
  removePasskey,
  removeTotp,
  renewRecoveryCodes,
  type TotpSecret,
  type UserFactors,
} from '../../../../identity/index.ts'
import { NAME_LENGTH_MAX, TOTP_CODE_LENGTH_MAX } from '../../../../kernel/index.ts'
import { type App, clientNetwork, envelope, id, idParams, ok, runVerb, userCredentialOf } from '../../../http/index.ts'
import { beforeEnrollment } from '../../access.ts'
import { orNull } from '../../formats.ts'
import { Deleted, dateTime, presentDeleted } from '../../schemas.ts'
import { PasskeyAttestationBody, PasskeyCreationData } from '../shared/factor-schemas.ts'
import { withNewCookie } from '../shared/new-cookie.ts'
import { givenPassword } from '../shared/password-schemas.ts'

const PasskeyData = Type.Object(
  {
    id: id('Passkey id.'),
    name: Type.String({ description: 'The name that you gave it.' }),
    credentialId: Type.String({ description: 'Credential id, in base64url.' }),
    publicKey: Type.String({ description: 'Public key in COSE, in base64url.' }),
    synced: Type.Boolean({ description: 'Whether the authenticator copies it to your other devices.' }),
    createdAt: dateTime('When you added it.'),
    lastUsedAt: orNull(dateTime('When it was last used.'), 'When it was last used; null if never.'),
  },
  { $id: 'Passkey', description: 'A passkey of yours.' },
)
const FactorsData = Type.Object(
  {
    totp: orNull(
      Type.Object({ since: dateTime('When you confirmed it.') }, { description: 'Your authenticator app.' }),
      'Your authenticator app; null if there is none.',
    ),
    passkeys: Type.Array(PasskeyData, { description: 'Your passkeys, oldest first.' }),
    recoveryCodesLeft: Type.Integer({ minimum: 0, description: 'Recovery codes that you have not used.' }),
  },
  { $id: 'SecondFactors', description: 'Your second factors.' },
)
const recoveryCodes = Type.Array(Type.String(), { description: 'Ten codes that each replace a second factor once.' })
const activated = {
  recoveryCodes: orNull(recoveryCodes, 'Your recovery codes, shown only now; null if you had a second factor before.'),
  ended: Type.Integer({ minimum: 0, description: 'How many of your other sessions ended, with the first factor.' }),
}
const TotpConfirmed = Type.Object(activated, {
  $id: 'TotpConfirmed',
  description: 'The authenticator app is active now.',
})
const PasskeyAdded = Type.Object(
  { id: id('Passkey id.'), ...activated },
  { $id: 'PasskeyAdded', description: 'The passkey is active now.' },
)
const TotpSecretData = Type.Object(
  {
    secret: Type.String({ description: 'The secret in base32, to type into the app. Shown only now.' }),
    uri: Type.String({ description: 'The same as an `otpauth:` address, to show as a QR code.' }),
  },
  { $id: 'TotpSecret', description: 'The secret of an authenticator app that is not confirmed yet.' },
)
const RecoveryCodesData = Type.Object(
  { recoveryCodes },
  { $id: 'RecoveryCodes', description: 'New recovery codes, shown only now.' },
)

const presentFactors = ({ totpSince, passkeys, recoveryCodesLeft }: UserFactors) =>
  ok({
    totp: totpSince && { since: totpSince.toISOString() },
    passkeys: passkeys.map(({ isBackedUp, createdAt, lastUsedAt, ...passkey }) => ({
      ...passkey,
      synced: isBackedUp,
      createdAt: createdAt.toISOString(),
      lastUsedAt: lastUsedAt?.toISOString() ?? null,
    })),
    recoveryCodesLeft,
  })
const presentSecret = (secret: TotpSecret) => ok(secret)
const presentCreation = (creation: PasskeyCreation) => ok(creation)
const presentActivated = ({ recoveryCodes: codes, ended }: ActivatedFactor) =>
  ok({ recoveryCodes: codes && [...codes], ended })
const presentAdded = ({ id: passkeyId, recoveryCodes: codes, ended }: AddedPasskey) =>
  ok({ id: passkeyId, recoveryCodes: codes && [...codes], ended })

const tags = ['Second factors']
const own = { object: 'member', id: 'credential.userId' } as const
const passkeyObject = { object: 'passkey' } as const
/** Users who have a factor must verify it before they add or remove one. */
const changes = {
  access: { ...beforeEnrollment.access, stepUp: true },
  limit: 'auth',
} as const
const PASSWORD_RULE =
  'Send your current password, unless you signed in within the last five minutes: otherwise 403 FORBIDDEN with `details.reason: "password_required"`. A wrong password returns 400 VALIDATION_ERROR and counts like a failed sign-in.'
const ownPassword = Type.Object({ currentPassword: Type.Optional(givenPassword('Your current password.')) })

/** The user's own second factors: `/api/core/auth/factors`. */
export function factorRoutes(app: App, parts: IdentityParts): void {
  app.get(
    '/api/core/auth/factors',
    {
      config: beforeEnrollment,
      schema: {
        tags,
        operationId: 'listFactors',
        summary: 'List your second factors',
        description: 'Your authenticator app, your passkeys, and how many recovery codes are left.',
        response: { 200: envelope(FactorsData, 'Your second factors.') },
      },
    },
    async (request) => presentFactors(await listFactors(parts, userCredentialOf(request))),
  )

  app.post(
    '/api/core/auth/factors/totp',
    {
      config: { ...changes, audit: own },
      schema: {
        tags,
        operationId: 'beginTotp',
        summary: 'Add an authenticator app',
        description: `Returns a secret for the app. It counts once you confirm it with a code, within 15 minutes; a repeated call replaces it. ${PASSWORD_RULE} Returns 409 CONFLICT if you have an app.`,
        body: ownPassword,
        response: { 200: envelope(TotpSecretData, 'The secret.') },
      },
    },
    async (request, reply) => {
      const input = { ...request.body, address: clientNetwork(request) }
      return runVerb(reply, 200, presentSecret, (transact) =>
        beginTotp(parts, userCredentialOf(request), input, transact),
      )
    },
  )

  app.post(
    '/api/core/auth/factors/totp/confirm',
    {
      config: { ...changes, replacesCookie: true, audit: { ...own, details: ['data.ended'] } },
      schema: {
        tags,
        operationId: 'confirmTotp',
        summary: 'Confirm an authenticator app',
        description:
          'With your first second factor your other sessions end, and the response has your recovery codes. Returns 400 VALIDATION_ERROR at `code` for a wrong code, which counts like a failed sign-in, and 409 CONFLICT if there is nothing to confirm.',
        body: Type.Object({
          code: Type.String({ minLength: 1, maxLength: TOTP_CODE_LENGTH_MAX, description: 'The current code.' }),
        }),
        response: { 200: envelope(TotpConfirmed, 'The app counts now.') },
      },
    },
    async (request, reply) => {
      const input = { code: request.body.code, address: clientNetwork(request) }
      const verb = withNewCookie<ActivatedFactor>(request, (transact) =>
        confirmTotp(parts, userCredentialOf(request), input, transact),
      )
      return runVerb(reply, 200, presentActivated, verb)
    },
  )

  app.delete(
    '/api/core/auth/factors/totp',
    {
      config: { ...changes, audit: own },
      schema: {
        tags,
        operationId: 'removeTotp',
        summary: 'Remove your authenticator app',
        description:
          'Removing your last second factor also removes your recovery codes. Returns 409 CONFLICT with `details.reason: "second_factor_required"` if your organization requires one, and 404 NOT_FOUND without an app.',
        response: { 200: envelope(Deleted, 'The app was removed.') },
      },
    },
    async (request, reply) =>
      runVerb(reply, 200, presentDeleted, (transact) => removeTotp(parts, userCredentialOf(request), transact)),
  )

  app.post(
    '/api/core/auth/factors/passkeys/options',
    {
      config: { ...changes, audit: false },
      schema: {
        tags,
        operationId: 'beginPasskey',
        summary: 'Start to add a passkey',
        description: `Returns the options for the browser. Their challenge is valid for one use in this session, for five minutes. ${PASSWORD_RULE} Returns 409 CONFLICT if you have ten passkeys.`,
        body: ownPassword,
        response: { 200: envelope(PasskeyCreationData, 'The options.') },
      },
    },
    async (request, reply) => {
      const input = { ...request.body, address: clientNetwork(request) }
      return runVerb(reply, 200, presentCreation, (transact) =>
        beginPasskey(parts, userCredentialOf(request), input, transact),
      )
    },
  )

  app.post(
    '/api/core/auth/factors/passkeys',
    {
      config: { ...changes, replacesCookie: true, audit: { ...passkeyObject, details: ['data.ended'] } },
      schema: {
        tags,
        operationId: 'addPasskey',
        summary: 'Add a passkey',
        description:
          'The passkey must verify its user by a PIN or biometrics. With your first second factor your other sessions end, and the response has your recovery codes. Returns 400 VALIDATION_ERROR at `passkey` unless it was created for this session, and 409 CONFLICT if it is registered already.',
        body: Type.Object({
          name: Type.String({ minLength: 1, maxLength: NAME_LENGTH_MAX, description: 'Your name for it.' }),
          passkey: PasskeyAttestationBody,
        }),
        response: { 201: envelope(PasskeyAdded, 'The passkey is active now.') },
      },
    },
    async (request, reply) => {
      const { name, passkey } = request.body
      const attestation = { ...passkey, clientExtensionResults: {} } as Parameters<typeof addPasskey>[2]['passkey']
      const verb = withNewCookie<AddedPasskey>(request, (transact) =>
        addPasskey(parts, userCredentialOf(request), { name, passkey: attestation }, transact),
      )
      return runVerb(reply, 201, presentAdded, verb)
    },
  )

  app.delete(
    '/api/core/auth/factors/passkeys/:id',
    {
      config: { ...changes, audit: passkeyObject },
      schema: {
        tags,
        operationId: 'removePasskey',
        summary: 'Remove a passkey',
        description:
          'Removing your last second factor also removes your recovery codes. Returns 409 CONFLICT with `details.reason: "second_factor_required"` if your organization requires one, and 404 NOT_FOUND for a passkey that is not yours.',
        params: idParams('Passkey id.'),
        response: { 200: envelope(Deleted, 'The passkey was removed.') },
      },
    },
    async (request, reply) =>
      runVerb(reply, 200, presentDeleted, (transact) =>
        removePasskey(parts, userCredentialOf(request), request.params.id, transact),
      ),
  )

  app.post(
    '/api/core/auth/factors/recovery-codes',
    {
      config: { ...changes, audit: own },
      schema: {
        tags,
        operationId: 'renewRecoveryCodes',
        summary: 'Replace your recovery codes',
        description: 'The earlier ones stop working. Returns 409 CONFLICT without a second factor.',
        response: { 200: envelope(RecoveryCodesData, 'New recovery codes.') },
      },
    },
    async (request, reply) => {
      const present = (codes: readonly string[]) => ok({ recoveryCodes: [...codes] })
      return runVerb(reply, 200, present, (transact) => renewRecoveryCodes(parts, userCredentialOf(request), transact))
    },
  )
}

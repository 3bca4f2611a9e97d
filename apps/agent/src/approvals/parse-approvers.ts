import { type AllowList, baseUnits, rulesJson } from '@weir/verify'
import type { ApprovalRule, Approver, Approvers } from './approvers.ts'

const { integer, list, noDuplicates, record, text, wrong } = rulesJson

const FIELDS = ['version', 'organizationId', 'relyingPartyId', 'origins', 'maxAgeHours', 'approvers', 'rules']
/** A week to approve, as the service waits, and a day to sign. */
const MAX_AGE_HOURS = 192
const HOUR_MS = 3_600_000
/** More decimals than any token has. */
const DECIMALS = 30

/**
 * Reads approvers from parsed JSON (format in docs/agent.md), for the tokens of this list. Throws RulesError. Nobody counts
 * twice: names, credentials and public keys are each unique. A rule for a token that the list does not have, such as one
 * in another case, is refused: it would never apply, and the operations that it means would need no signature.
 */
export function parseApprovers(json: unknown, { chains }: AllowList): Approvers {
  const root = record(json, 'the file', FIELDS)
  if (root.version !== 1) wrong('version', 'must be 1')
  const approvers = list(root.approvers, 'approvers', approver)
  const passkeys = approvers.flatMap((one) => one.passkeys)
  noDuplicates(
    approvers.map(({ name }) => name),
    'approvers',
  )
  noDuplicates(
    passkeys.map(({ credentialId }) => credentialId),
    'approvers',
  )
  noDuplicates(
    passkeys.map(({ publicKey }) => Buffer.from(publicKey).toString('base64url')),
    'approvers',
  )
  const tokens = new Set(chains.flatMap((chain) => chain.tokens.map(({ symbol }) => symbol)))
  const rules = list(root.rules, 'rules', (one, path) => rule(one, path, { people: approvers.length, tokens }))
  if (rules.length === 0) wrong('rules', 'must have a rule')
  const hours = root.maxAgeHours === undefined ? MAX_AGE_HOURS : positive(root.maxAgeHours, 'maxAgeHours')
  return {
    organizationId: positive(root.organizationId, 'organizationId'),
    relyingPartyId: relyingParty(root.relyingPartyId, 'relyingPartyId'),
    origins: notEmpty(list(root.origins, 'origins', origin), 'origins'),
    maxAgeMs: hours * HOUR_MS,
    approvers,
    rules,
  }
}

function approver(json: unknown, path: string): Approver {
  const one = record(json, path, ['name', 'passkeys'])
  const passkeys = list(one.passkeys, `${path}.passkeys`, (key, at) => {
    const { credentialId, publicKey } = record(key, at, ['credentialId', 'publicKey'])
    return {
      credentialId: base64url(credentialId, `${at}.credentialId`),
      publicKey: coseKey(base64url(publicKey, `${at}.publicKey`), `${at}.publicKey`),
    }
  })
  return { name: text(one.name, `${path}.name`), passkeys: notEmpty(passkeys, `${path}.passkeys`) }
}

function rule(
  json: unknown,
  path: string,
  { people, tokens }: { readonly people: number; readonly tokens: ReadonlySet<string> },
): ApprovalRule {
  const one = record(json, path, ['token', 'amountAtLeast', 'required'])
  const amount = one.amountAtLeast === undefined ? undefined : text(one.amountAtLeast, `${path}.amountAtLeast`)
  if (amount !== undefined && baseUnits(amount, DECIMALS) === undefined) {
    wrong(`${path}.amountAtLeast`, 'must be a decimal number of tokens in quotes')
  }
  const required = integer(one.required, `${path}.required`)
  if (required > people) wrong(`${path}.required`, `must be at most ${people}, the number of approvers`)
  const token = one.token === undefined ? undefined : text(one.token, `${path}.token`)
  if (token !== undefined && !tokens.has(token)) wrong(`${path}.token`, 'is not listed')
  return {
    token,
    amountAtLeast: amount,
    required,
  }
}

function notEmpty<Item>(items: readonly Item[], path: string): readonly Item[] {
  return items.length > 0 ? items : wrong(path, 'must not be empty')
}

function positive(json: unknown, path: string): number {
  const value = integer(json, path)
  return value > 0 ? value : wrong(path, 'must be above 0')
}

function base64url(json: unknown, path: string): string {
  const written = text(json, path)
  const canonical = Buffer.from(written, 'base64url').toString('base64url')
  return canonical === written ? written : wrong(path, 'must be base64url without padding')
}

/** A COSE key is a CBOR map. */
function coseKey(written: string, path: string): Uint8Array<ArrayBuffer> {
  const bytes = Uint8Array.from(Buffer.from(written, 'base64url'))
  const isMap = bytes.length >= 32 && (bytes[0]! & 0xe0) === 0xa0
  return isMap ? bytes : wrong(path, 'must be a COSE key')
}

function relyingParty(json: unknown, path: string): string {
  const written = text(json, path)
  return /^[a-z0-9.-]+$/.test(written) ? written : wrong(path, 'must be a host name in lower case')
}

function origin(json: unknown, path: string): string {
  const written = text(json, path)
  const isOrigin = URL.canParse(written) && new URL(written).origin === written
  return isOrigin ? written : wrong(path, 'must be an origin such as https://weir.example')
}

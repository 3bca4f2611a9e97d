import { asMember, SIGNS_IN } from '../as-member.ts'
import { confirm } from '../ask.ts'
import { type Connection, URL_OPTION, type UrlOption } from '../connect.ts'
import { defineCommand, type Result } from '../define-command.ts'
import type { Definer } from '../definer.ts'
import { printable, table } from '../table.ts'
import { wholeNumber } from '../whole-number.ts'

/** How long a replaced key works, in seconds. */
const DAY = '86400'
const PERMISSIONS = ['read', 'plan', 'submit', 'ramp', 'agent'] as const

interface CreateOptions extends UrlOption {
  readonly profile?: string
  readonly admin?: boolean
  readonly permission?: readonly string[]
  readonly allow?: readonly string[]
  readonly expires?: string
}

/** API keys of the organization. */
export function defineKeyCommands(definer: Definer): void {
  const keys = definer.group('keys', 'API keys of the organization')
  const to = { shell: definer.shell, end: definer.end }
  defineCommand<UrlOption>(keys, to, {
    usage: 'list',
    summary: 'List the keys that work',
    description: `With scope, permissions, expiry and last use. ${SIGNS_IN}`,
    options: [URL_OPTION],
    examples: [
      { run: 'keys list', does: 'the keys of the sandbox' },
      { run: 'keys list --url https://weir.example.com', does: 'those of a live service' },
    ],
    run: (shell, _args, options) => asMember(shell, options, listKeys),
  })
  defineCommand<CreateOptions>(keys, to, {
    usage: 'create <name>',
    summary: 'Generate a key and print it once',
    description: `Prints the key: Weir stores only a hash of it. Without options the key may do everything with every wallet: give a program only what it needs (docs/api-keys.md). ${SIGNS_IN}`,
    arguments: { name: 'what it is for' },
    options: [
      ['--profile <id>', 'only the wallets of this profile, on v1'],
      ['--admin', 'everything on v1, read-only'],
      ['--permission <permission...>', 'what it may do; repeat for several', PERMISSIONS],
      ['--allow <network...>', 'an address or network to use it from; repeat for several'],
      ['--expires <time>', 'when it expires, such as 2027-01-01T00:00:00Z'],
      URL_OPTION,
    ],
    examples: [{ run: 'keys create "Custody agent" --permission agent --allow 10.0.4.0/24', does: 'for the agent' }],
    run: (shell, [name = ''], options) =>
      asMember(shell, options, (connection) => createKey(connection, name, options)),
  })
  defineCommand<UrlOption & { overlap?: string }>(keys, to, {
    usage: 'rotate <id>',
    summary: 'Replace a key; the old one works for another day',
    description: `Prints a new key with the same scope, permissions and addresses. The old one expires after the overlap. ${SIGNS_IN}`,
    arguments: { id: 'id of the key, as `weir keys list` prints it' },
    options: [['--overlap <seconds>', 'how long the old key still works; 86400 by default, up to 30 days'], URL_OPTION],
    examples: [{ run: 'keys rotate 7 --overlap 3600', does: 'install the new key within an hour' }],
    run: (shell, [id], options) =>
      asMember(shell, options, async ({ weir }) => {
        const overlapSeconds = wholeNumber('--overlap', options.overlap ?? DAY)
        const old = wholeNumber('the id', id ?? '')
        const result = await issued(weir.core.apiKeys.rotate(old, { overlapSeconds }))
        const isIssued = 'apiKey' in (result.json as object)
        const ends = isIssued ? [`key ${old} works for another ${overlapSeconds} seconds`] : []
        return { ...result, lines: [...(result.lines ?? []), ...ends] }
      }),
  })
  defineCommand<UrlOption & { yes?: boolean }>(keys, to, {
    usage: 'revoke <id>',
    summary: 'Revoke a key at once, in every process',
    description: `What uses the key stops working. Asks first. ${SIGNS_IN}`,
    arguments: { id: 'id of the key, from `weir keys list`' },
    options: [['--yes', 'do not ask'], URL_OPTION],
    examples: [{ run: 'keys revoke 7', does: 'after the program has another' }],
    run: async (shell, [given], options) => {
      const id = wholeNumber('the id', given ?? '')
      if (!options.yes && !(await confirm(shell, `Revoke key ${id}?`)))
        return { json: { revoked: false }, lines: ['nothing was changed'] }
      return await asMember(shell, options, async ({ weir }) => {
        await weir.core.apiKeys.delete(id)
        return { json: { revoked: true, id }, lines: [`key ${id} is revoked`] }
      })
    },
  })
}

async function listKeys({ weir }: Connection): Promise<Result> {
  const keys = []
  for await (const key of weir.core.apiKeys.list()) keys.push(key)
  const rows = keys.map((key) => [
    String(key.id),
    printable(key.name, 30),
    key.scope === 'profile' ? `profile ${key.walletProfileId}` : key.scope,
    key.permissions?.join(' ') ?? 'all',
    key.keyPreview,
    key.expiresAt ?? 'never',
    key.lastUsedAt ?? 'never',
  ])
  return { json: keys, lines: table(['ID', 'NAME', 'SCOPE', 'MAY', 'KEY', 'EXPIRES', 'LAST USED'], rows) }
}

async function createKey({ weir }: Connection, name: string, options: CreateOptions): Promise<Result> {
  const { profile, admin, permission, allow, expires } = options
  const body = {
    name,
    ...(profile !== undefined && { walletProfileId: wholeNumber('--profile', profile) }),
    ...(admin && { isAdmin: true }),
    ...(permission && { permissions: permission as (typeof PERMISSIONS)[number][] }),
    ...(allow && { allowedAddresses: [...allow] }),
    ...(expires !== undefined && { expiresAt: expires }),
  }
  return await issued(weir.core.apiKeys.generate(body))
}

/**
 * A new key, or the request for it where other members must approve. Throws if the key exists, but its value was lost with
 * a response: Weir stores only a hash of it.
 */
async function issued(call: Promise<object>): Promise<Result> {
  const data = await call.catch(lostOrThrow)
  if (!('apiKey' in data))
    return { json: data, lines: ['other members must approve this first: see the change requests'] }
  const { apiKey, id } = data as { apiKey: string | null; id: number }
  if (apiKey === null) {
    throw new Error(
      `key ${id} exists, but its value was lost with the response; replace it: weir keys rotate ${id} --overlap 0`,
    )
  }
  return { json: data, lines: [apiKey, `key ${id}; it is shown only this time`] }
}

/** What a repeated request returned whose first response was lost. */
async function lostOrThrow(error: unknown): Promise<object> {
  const { SecretLostError } = await import('../../../../packages/sdk/src/index.ts')
  if (error instanceof SecretLostError) return error.data
  throw error
}

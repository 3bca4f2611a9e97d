import { type AllowList, baseUnits, rulesJson } from '@weir/verify'
import { getAddress, isAddress } from 'viem'
import type { AmountLimit, Caps, FeeLimit, Limits } from './limits.ts'

const { list, noDuplicates, record, text, whole, wrong } = rulesJson

/**
 * Reads limits from parsed JSON (format in docs/agent.md), for the tokens, venues and chains of this list. Throws
 * RulesError. A name that the list does not have is refused: a limit on it would never apply.
 */
export function parseLimits(json: unknown, allowList: AllowList): Limits {
  const root = record(json, 'the file', ['version', 'amounts', 'fees'])
  if (root.version !== 1) wrong('version', 'must be 1')
  const amounts = list(root.amounts ?? [], 'amounts', (one, path) => amountLimit(one, path, allowList))
  const fees = list(root.fees ?? [], 'fees', (one, path) => feeLimit(one, path, allowList))
  const names = (limits: readonly { readonly name: string }[]) => limits.map(({ name }) => name)
  noDuplicates(names(amounts), 'amounts')
  noDuplicates(names(fees), 'fees')
  return { amounts, fees }
}

const FIELDS = ['name', 'token', 'blockchain', 'venue', 'wallet', 'does', 'each', 'perHour', 'perDay']

function amountLimit(json: unknown, path: string, { chains }: AllowList): AmountLimit {
  const one = record(json, path, FIELDS)
  const optional = (field: string) => (one[field] === undefined ? undefined : text(one[field], `${path}.${field}`))
  const token = text(one.token, `${path}.token`)
  const blockchain = optional('blockchain')
  const listed = chains
    .filter((chain) => blockchain === undefined || chain.blockchain === blockchain)
    .flatMap((chain) =>
      chain.tokens.filter(({ symbol }) => symbol === token).map(({ decimals }) => ({ chain, decimals })),
    )
  if (listed.length === 0) wrong(`${path}.token`, `is not listed${blockchain === undefined ? '' : ` on ${blockchain}`}`)
  const venue = optional('venue')
  const isVenue = listed.some(({ chain }) => chain.venues.some((at) => at.name === venue && at.token === token))
  if (venue !== undefined && !isVenue) wrong(`${path}.venue`, `is not listed for ${token}`)
  const decimals = Math.max(...listed.map((at) => at.decimals))
  const scale = new Map(listed.map((at) => [at.chain.blockchain, 10n ** BigInt(decimals - at.decimals)]))
  const wallet = walletOf(optional('wallet'), `${path}.wallet`)
  const does = choice(one.does, `${path}.does`, ['supply', 'withdraw'])
  const each = choice(one.each, `${path}.each`, ['venue', 'wallet'])
  const caps = capsOf(one, path, (given, at) => {
    return baseUnits(text(given, at), decimals) ?? wrong(at, 'must be a decimal number of tokens in quotes')
  })
  const filters = { token, blockchain, venue, wallet, does, each }
  return { ...filters, name: optional('name') ?? nameOf(filters), scale, decimals, caps }
}

/** Written as the verifier writes it: a limit on a wallet in another form would never apply. */
function walletOf(wallet: string | undefined, path: string): string | undefined {
  if (wallet === undefined || /^[1-9A-HJ-NP-Za-km-z]{32,44}$/.test(wallet)) return wallet
  return isAddress(wallet) ? getAddress(wallet) : wrong(path, 'must be an address')
}

function feeLimit(json: unknown, path: string, { chains }: AllowList): FeeLimit {
  const one = record(json, path, ['blockchain', 'perHour', 'perDay'])
  const blockchain = text(one.blockchain, `${path}.blockchain`)
  if (!chains.some((chain) => chain.blockchain === blockchain)) wrong(`${path}.blockchain`, 'is not listed')
  return { name: `fees on ${blockchain}`, blockchain, caps: capsOf(one, path, whole) }
}

function capsOf(one: rulesJson.Json, path: string, read: (json: unknown, path: string) => bigint): Caps {
  const caps = {
    ...(one.perHour !== undefined && { hour: read(one.perHour, `${path}.perHour`) }),
    ...(one.perDay !== undefined && { day: read(one.perDay, `${path}.perDay`) }),
  }
  if (Object.keys(caps).length === 0) wrong(path, 'must have perHour or perDay')
  return caps
}

function choice<const Value extends string>(json: unknown, path: string, allowed: readonly Value[]): Value | undefined {
  if (json === undefined) return undefined
  return allowed.find((value) => value === json) ?? wrong(path, `must be ${allowed.join(' or ')}`)
}

/** `withdraw of USDC on base at Fluid USDC, each wallet`. */
function nameOf({
  token,
  blockchain,
  venue,
  wallet,
  does,
  each,
}: Omit<AmountLimit, 'name' | 'scale' | 'decimals' | 'caps'>) {
  const part = (word: string, value: string | undefined) => (value === undefined ? '' : `${word}${value}`)
  const filters = [part(' on ', blockchain), part(' at ', venue), part(' of ', wallet), part(', each ', each)]
  return `${does === undefined ? '' : `${does} of `}${token}${filters.join('')}`
}

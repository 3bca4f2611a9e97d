import { addressForm, normalizeAddress } from '../../chains/index.ts'
import { VENUES_FILE_MAX } from '../../kernel/index.ts'
import { READINGS } from '../readings.ts'
import {
  CHAINS_OF,
  KINDS,
  LIQUIDITY_SOURCES,
  type ListedKind,
  type ListedVenue,
  RATES,
  STATUSES,
} from './listed-venue.ts'
import { VenuesFileError, type VenuesFileProblem } from './venues-file-error.ts'

/** How a venue is read; each of one kind only. */
const HOW = [...READINGS, 'rewardFeed']
const FIELDS = ['blockchain', 'kind', 'address', 'source', 'name', 'provider', 'status', ...HOW]

/** The entries of a venue file (docs/venues.md). Throws {@link VenuesFileError} with every problem. */
export function parseVenuesFile(text: string): ListedVenue[] {
  const list = listIn(text)
  const problems: VenuesFileProblem[] = []
  const entries: ListedVenue[] = []
  for (const [index, json] of list.entries()) {
    try {
      entries.push(entryOf(json, index))
    } catch (error) {
      if (!(error instanceof RangeError)) throw error
      problems.push({ code: 'INVALID_ENTRY', index, message: error.message })
    }
  }
  if (problems.length > 0) throw new VenuesFileError([...problems, ...duplicates(entries)])
  const twice = duplicates(entries)
  if (twice.length > 0) throw new VenuesFileError(twice)
  return entries
}

function listIn(text: string): readonly unknown[] {
  const json = jsonOf(text)
  if (!isRecord(json)) return refuseFile('must be an object with version and venues')
  const unknown = Object.keys(json).find((field) => field !== 'version' && field !== 'venues')
  if (unknown !== undefined) return refuseFile(`has an unknown field ${unknown}; remove it`)
  if (json.version !== 1) return refuseFile('version must be 1')
  if (!Array.isArray(json.venues)) return refuseFile('venues must be a list')
  if (json.venues.length > VENUES_FILE_MAX) return refuseFile(`venues must have at most ${VENUES_FILE_MAX} entries`)
  return json.venues
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    return refuseFile(`must be JSON: ${(error as Error).message}`)
  }
}

function refuseFile(message: string): never {
  throw new VenuesFileError([{ code: 'INVALID_FILE', index: undefined, message }])
}

function entryOf(json: unknown, index: number): ListedVenue {
  if (!isRecord(json)) throw new RangeError('must be an object')
  const unknown = Object.keys(json).find((field) => !FIELDS.includes(field))
  if (unknown !== undefined) throw new RangeError(`has an unknown field ${unknown}; remove it`)
  const kind = choice(json, 'kind', KINDS)
  const wrong = HOW.find((field) => json[field] !== undefined && kind !== kindWith(field))
  if (wrong !== undefined) throw new RangeError(`${wrong} is for the kind ${kindWith(wrong)} only`)
  if ((json.rewards === undefined) !== (json.rewardFeed === undefined))
    throw new RangeError('rewards and rewardFeed go together; add the other one')
  const blockchain = choice<ListedVenue['blockchain']>(json, 'blockchain', CHAINS_OF[kind])
  const optional = (field: string) => (json[field] === undefined ? undefined : words(json, field, 64))
  return {
    index,
    blockchain,
    kind,
    address: addressIn(json, 'address', blockchain),
    source: words(json, 'source', 500),
    name: optional('name'),
    provider: optional('provider'),
    status: chosen(json, 'status', STATUSES) ?? 'active',
    limits: chosen(json, 'limits', ['unreported'] as const),
    rate: chosen(json, 'rate', RATES),
    cash: chosen(json, 'cash', LIQUIDITY_SOURCES),
    rewards: json.rewards === undefined ? undefined : addressIn(json, 'rewards', blockchain),
    rewardFeed: json.rewardFeed === undefined ? undefined : addressIn(json, 'rewardFeed', blockchain),
  }
}

/** The kind whose entries may say how this is read. */
const kindWith = (field: string): ListedKind => (field.startsWith('reward') ? 'compound-v3' : 'erc4626')

function addressIn(json: Json, field: string, blockchain: ListedVenue['blockchain']): string {
  const address = json[field]
  // A wrong checksum is a typing error. Without capital letters there is no checksum to be wrong.
  const normalized = typeof address === 'string' ? normalizeAddress(blockchain, address) : undefined
  if (normalized !== undefined) return normalized
  throw new RangeError(`${field} is not ${addressForm(blockchain)}`)
}

function choice<const Value extends string>(json: Json, field: string, allowed: readonly Value[]): Value {
  const found = allowed.find((value) => value === json[field])
  if (found === undefined) throw new RangeError(`${field} must be ${allowed.join(' or ')}`)
  return found
}

function chosen<const Value extends string>(json: Json, field: string, allowed: readonly Value[]): Value | undefined {
  return json[field] === undefined ? undefined : choice(json, field, allowed)
}

/** Printable text on one line. */
function words(json: Json, field: string, max: number): string {
  const text = json[field]
  if (typeof text === 'string' && text.length <= max && /^[^\p{C}\p{Z}](?:[^\p{C}]*[^\p{C}\p{Z}])?$/u.test(text))
    return text
  throw new RangeError(`${field} must be text of 1 to ${max} characters on one line`)
}

function duplicates(entries: readonly ListedVenue[]): VenuesFileProblem[] {
  const first = new Map<string, number>()
  return entries.flatMap(({ index, blockchain, address }) => {
    const contract = `${blockchain} ${address}`
    const earlier = first.get(contract)
    first.set(contract, earlier ?? index)
    if (earlier === undefined) return []
    return [{ code: 'DUPLICATE_ENTRY', index, message: `has the contract of venues[${earlier}]; remove one of them` }]
  })
}

type Json = Readonly<Record<string, unknown>>

const isRecord = (json: unknown): json is Json => typeof json === 'object' && json !== null && !Array.isArray(json)

import { isAddress as isSolanaAddress } from '@solana/addresses'
import { getAddress, isAddress as isEvmAddress } from 'viem'
import {
  type AllowList,
  type ChainRules,
  EVM_PROTOCOLS,
  type EvmRules,
  type EvmVenue,
  type SolanaRules,
  type SolanaVenue,
  type TokenRule,
} from './allow-list.ts'
import { baseUnits } from './intent.ts'
import { integer, type Json, list, noDuplicates, record, text, whole, wrong } from './rules-json.ts'

/**
 * Reads a list from parsed JSON, with amounts as strings (format in docs/agent.md). Throws RulesError. Unknown
 * fields are refused: a misspelled rule would protect nobody.
 */
export function parseAllowList(json: unknown): AllowList {
  const root = record(json, 'the list', ['version', 'chains'])
  if (root.version !== 1) wrong('version', 'must be 1')
  const chains = list(root.chains, 'chains', chain)
  noDuplicates(
    chains.map(({ blockchain }) => blockchain),
    'chains',
  )
  return { chains }
}

function chain(json: unknown, path: string): ChainRules {
  const fields = ['blockchain', 'family', 'chainId', 'genesisHash', 'tokens', 'venues', 'fees']
  const { family } = record(json, path, fields)
  if (family === 'evm') return evmChain(json as Json, path)
  if (family === 'svm') return solanaChain(json as Json, path)
  return wrong(`${path}.family`, 'must be evm or svm')
}

function evmChain(json: Json, path: string): EvmRules {
  const tokens = list(json.tokens, `${path}.tokens`, (one, at) => token(one, at, evmAddress))
  const fees = record(json.fees, `${path}.fees`, ['maxGas', 'maxFeePerGas', 'maxPriorityFeePerGas', 'maxCost'])
  const fee = (name: string) => whole(fees[name], `${path}.fees.${name}`)
  return {
    family: 'evm',
    blockchain: text(json.blockchain, `${path}.blockchain`),
    chainId: integer(json.chainId, `${path}.chainId`),
    tokens: checkedTokens(tokens, path),
    venues: checkedVenues(list(json.venues, `${path}.venues`, evmVenue), tokens, path),
    fees: {
      maxGas: fee('maxGas'),
      maxFeePerGas: fee('maxFeePerGas'),
      maxPriorityFeePerGas: fee('maxPriorityFeePerGas'),
      maxCost: fee('maxCost'),
    },
  }
}

function evmVenue(json: unknown, path: string): EvmVenue {
  const venue = record(json, path, ['name', 'protocol', 'token', 'contract'])
  const protocol = EVM_PROTOCOLS.find((known) => known === venue.protocol)
  if (protocol === undefined) wrong(`${path}.protocol`, `must be ${EVM_PROTOCOLS.join(' or ')}`)
  return {
    name: text(venue.name, `${path}.name`),
    protocol,
    token: text(venue.token, `${path}.token`),
    contract: evmAddress(venue.contract, `${path}.contract`),
  }
}

function solanaChain(json: Json, path: string): SolanaRules {
  const tokens = list(json.tokens, `${path}.tokens`, (one, at) => token(one, at, solanaAddress))
  const fees = record(json.fees, `${path}.fees`, ['maxUnits', 'maxCost'])
  return {
    family: 'svm',
    blockchain: text(json.blockchain, `${path}.blockchain`),
    genesisHash: json.genesisHash == null ? null : solanaAddress(json.genesisHash, `${path}.genesisHash`),
    tokens: checkedTokens(tokens, path),
    venues: checkedVenues(list(json.venues, `${path}.venues`, solanaVenue), tokens, path),
    fees: {
      maxUnits: whole(fees.maxUnits, `${path}.fees.maxUnits`),
      maxCost: whole(fees.maxCost, `${path}.fees.maxCost`),
    },
  }
}

const SOLANA_FIELDS = {
  'share-vault': ['vault', 'shareMint', 'liquidity'],
  kamino: ['reserve', 'lendingMarket', 'supplyVault', 'collateralMint'],
  'jupiter-lend': ['lending', 'shareMint', 'liquidityProgram', 'rewardsProgram'],
} as const

function solanaVenue(json: unknown, path: string): SolanaVenue {
  const named = (json as Json).protocol
  const protocol = (Object.keys(SOLANA_FIELDS) as (keyof typeof SOLANA_FIELDS)[]).find((known) => known === named)
  if (protocol === undefined) wrong(`${path}.protocol`, `must be ${Object.keys(SOLANA_FIELDS).join(' or ')}`)
  const own = SOLANA_FIELDS[protocol]
  const venue = record(json, path, ['name', 'protocol', 'token', 'program', 'sharesPerUnit', ...own])
  const addresses = ['program', ...own].map((name) => [name, solanaAddress(venue[name], `${path}.${name}`)])
  return {
    name: text(venue.name, `${path}.name`),
    protocol,
    token: text(venue.token, `${path}.token`),
    sharesPerUnit: whole(venue.sharesPerUnit, `${path}.sharesPerUnit`),
    ...Object.fromEntries(addresses),
  } as SolanaVenue
}

function token(json: unknown, path: string, address: typeof evmAddress): TokenRule {
  const one = record(json, path, ['symbol', 'address', 'decimals', 'maxAmount'])
  const decimals = integer(one.decimals, `${path}.decimals`)
  const most = one.maxAmount == null ? null : baseUnits(text(one.maxAmount, `${path}.maxAmount`), decimals)
  if (most === undefined) wrong(`${path}.maxAmount`, 'must be a decimal number of tokens')
  return {
    symbol: text(one.symbol, `${path}.symbol`),
    address: address(one.address, `${path}.address`),
    decimals,
    maxAmount: most,
  }
}

function checkedTokens(tokens: readonly TokenRule[], path: string): readonly TokenRule[] {
  noDuplicates(
    tokens.map(({ symbol }) => symbol),
    `${path}.tokens`,
  )
  noDuplicates(
    tokens.map(({ address }) => address),
    `${path}.tokens`,
  )
  return tokens
}

function checkedVenues<Venue extends EvmVenue | SolanaVenue>(
  venues: readonly Venue[],
  tokens: readonly TokenRule[],
  path: string,
): readonly Venue[] {
  noDuplicates(
    venues.map(({ name }) => name),
    `${path}.venues`,
  )
  for (const { name, token } of venues) {
    if (!tokens.some(({ symbol }) => symbol === token))
      wrong(`${path}.venues`, `has ${name} for ${token}, which is not listed`)
  }
  return venues
}

function evmAddress(json: unknown, path: string): string {
  const written = text(json, path)
  return isEvmAddress(written) ? getAddress(written) : wrong(path, 'must be an address with its checksum')
}

function solanaAddress(json: unknown, path: string): string {
  const written = text(json, path)
  return isSolanaAddress(written) ? written : wrong(path, 'must be base58 of 32 bytes')
}

import { createPublicClient, type Hex, http, parseAbi } from 'viem'
import { expect } from 'vitest'
import { associatedTokenAddress } from '../../src/chains/solana/addresses/associated-token-address.ts'
import type { System } from '../service/start-system.ts'

const VAULT = parseAbi([
  'function balanceOf(address owner) view returns (uint256)',
  'function convertToAssets(uint256 shares) view returns (uint256)',
])

export interface Holder {
  readonly blockchain: string
  readonly address: string
}

/** What a holder has of a token, in base units. */
export async function tokensOf(system: System, { blockchain, address }: Holder, token: string): Promise<bigint> {
  const rpcUrl = await rpcUrlOf(system, blockchain)
  return blockchain === 'solana'
    ? solanaTokens(rpcUrl, address, token)
    : readerOf(rpcUrl).readContract({
        address: token as Hex,
        abi: VAULT,
        functionName: 'balanceOf',
        args: [address as Hex],
      })
}

/**
 * What a holder has in a strategy with these contracts, in base units, as its protocol counts: at this time of the chain's
 * clock, or at the latest block.
 */
export async function worthOf(
  system: System,
  { blockchain, address }: Holder,
  contracts: Readonly<Record<string, string>>,
  at?: Date,
): Promise<bigint> {
  const rpcUrl = await rpcUrlOf(system, blockchain)
  if (blockchain === 'solana') return solanaWorth(rpcUrl, address, contracts, at)
  const reader = readerOf(rpcUrl)
  let { number, timestamp } = await reader.getBlock()
  const seconds = at === undefined ? timestamp : secondsOf(at)
  while (timestamp > seconds) ({ number, timestamp } = await reader.getBlock({ blockNumber: number - 1n }))
  expect(timestamp).toBe(seconds)
  // Aave's and Compound's balances are amounts.
  const contract = {
    address: (contracts.vault ?? contracts.comet ?? contracts.aToken) as Hex,
    abi: VAULT,
    blockNumber: number,
  }
  const held = await reader.readContract({ ...contract, functionName: 'balanceOf', args: [address as Hex] })
  if (contracts.vault === undefined) return held
  return reader.readContract({ ...contract, functionName: 'convertToAssets', args: [held] })
}

const readerOf = (rpcUrl: string) => createPublicClient({ transport: http(rpcUrl) })
const secondsOf = (at: Date): bigint => BigInt(at.getTime() / 1_000)

async function rpcUrlOf(system: System, blockchain: string): Promise<string> {
  return (await system.networks()).find((network) => network.blockchain === blockchain)!.rpcUrl
}

/** By the formula that the vault's program documents (packages/devnet/programs/vault/README.md). */
async function solanaWorth(
  rpcUrl: string,
  owner: string,
  { vault, shareMint }: Readonly<Record<string, string>>,
  at?: Date,
): Promise<bigint> {
  const shares = await solanaTokens(rpcUrl, owner, shareMint!)
  const state = (await solanaAccount(rpcUrl, vault!))!
  const u64 = (offset: number) => state.readBigUInt64LE(offset)
  const touched = u64(128)
  const seconds = at === undefined ? touched : secondsOf(at)
  const accrued = seconds > touched ? (u64(112) * u64(136) * (seconds - touched)) / u64(144) : 0n
  const interest = accrued < u64(152) ? accrued : u64(152)
  return (shares * (u64(112) + interest + u64(160))) / (u64(120) + u64(168))
}

async function solanaTokens(rpcUrl: string, owner: string, mint: string): Promise<bigint> {
  const account = await solanaAccount(rpcUrl, await associatedTokenAddress(owner, mint))
  return account?.readBigUInt64LE(64) ?? 0n
}

async function solanaAccount(rpcUrl: string, address: string): Promise<Buffer | undefined> {
  const response = await fetch(rpcUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'getAccountInfo',
      params: [address, { encoding: 'base64' }],
    }),
  })
  const { result } = (await response.json()) as { result: { value: { data: readonly [string] } | null } }
  return result.value === null ? undefined : Buffer.from(result.value.data[0], 'base64')
}

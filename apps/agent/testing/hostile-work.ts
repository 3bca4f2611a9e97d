import { sandboxAllowList } from '@weir/verify'
import { type Address, encodeFunctionData, erc20Abi, erc4626Abi, type Hex, maxUint256, parseAbi } from 'viem'
import { evmBytes } from '../../../packages/verify/src/test-bytes.ts'
import type { Work } from './hostile-service.ts'

const poolAbi = parseAbi([
  'function supply(address asset, uint256 amount, address onBehalfOf, uint16 referralCode)',
  'function withdraw(address asset, uint256 amount, address to)',
])
const polygon = sandboxAllowList.chains.find(({ blockchain }) => blockchain === 'polygon')!
const contract = (name: string) => (polygon.venues.find((one) => one.name === name) as { contract: Address }).contract

export const USDC = polygon.tokens[0]!.address as Address
export const POOL = contract('Aave V3 USDC')
export const VAULT = contract('Yield Vault USDC')
export const STRANGER = '0x8617E340B3D01FA5F11F306F4090FD50E238070D'

export const calls = {
  approve: (spender: Address, amount: bigint) =>
    encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [spender, amount] }),
  transfer: (to: Address, amount: bigint) =>
    encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [to, amount] }),
  supply: (amount: bigint, to: Address) =>
    encodeFunctionData({ abi: poolAbi, functionName: 'supply', args: [USDC, amount, to, 0] }),
  withdraw: (amount: bigint, to: Address) =>
    encodeFunctionData({ abi: poolAbi, functionName: 'withdraw', args: [USDC, amount, to] }),
  deposit: (amount: bigint, to: Address) =>
    encodeFunctionData({ abi: erc4626Abi, functionName: 'deposit', args: [amount, to] }),
  everything: (to: Address) =>
    encodeFunctionData({ abi: poolAbi, functionName: 'withdraw', args: [USDC, maxUint256, to] }),
}

let ids = 0
/** A number that nothing else in this process has. */
export const nextId = () => ++ids

export interface WorkOptions {
  readonly id?: number
  readonly operationId?: number
  readonly bytes?: string
  readonly metadata?: Readonly<Record<string, unknown>>
  /** Fields of the work itself. */
  readonly more?: Readonly<Record<string, unknown>>
}

/** Work on polygon as an honest service issues it, except for what a test changes. */
export function workOf(wallet: string, { id = nextId(), operationId = id, bytes, metadata, more }: WorkOptions): Work {
  return {
    id,
    operationId,
    unsignedTx: bytes,
    metadata: {
      blockchain: 'polygon',
      walletId: 1,
      walletAddress: wallet,
      amount: '50.00',
      token: 'USDC',
      type: 'SUPPLY',
      full: false,
      ...metadata,
    },
    claimedAt: '2026-05-05T12:00:00.000Z',
    leaseExpiresAt: '2026-05-05T12:01:00.000Z',
    leaseToken: `lease_${id}`,
    ...more,
  }
}

/** Fifty USDC into Aave, by this nonce. */
export function supplyOf(wallet: string, nonce: number, options: WorkOptions = {}): Work {
  const bytes = evmBytes({ to: POOL, data: calls.supply(50_000_000n, wallet as Address), nonce })
  return workOf(wallet, { bytes, ...options })
}

/** The whole position in Aave, with a declared amount of one USDC. */
export function everythingOf(wallet: string, nonce: number, options: WorkOptions = {}): Work {
  const metadata = { type: 'UNWIND', full: true, amount: '1.00' }
  const bytes = evmBytes({ to: POOL, data: calls.everything(wallet as Address), nonce })
  return workOf(wallet, { bytes, ...options, metadata: { ...metadata, ...options.metadata } })
}

/** A withdrawn allowance: it moves nothing and costs gas. */
export function resetOf(wallet: string, nonce: number): Work {
  return workOf(wallet, { bytes: evmBytes({ to: USDC, data: calls.approve(POOL, 0n), nonce }) })
}

export type { Address, Hex }

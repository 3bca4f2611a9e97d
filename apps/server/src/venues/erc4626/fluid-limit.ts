import { type Address, encodeAbiParameters, type Hex, keccak256 } from 'viem'
import { maxAmount, mulDivDown } from '../../kernel/index.ts'

/**
 * What Fluid's Liquidity contract stores about one of its users, as an fToken reads it there: packed words at fixed
 * slots. Both contracts rely on them, and an fToken cannot be upgraded, so they do not move.
 */
const STATUS_SLOT = 1n
const PRICES_SLOT = 5n
const USER_SUPPLY_SLOT = 8n
const STATUS_PAUSED = 2n
const PRICE_SCALE = 10n ** 12n
const PARTS = 10_000n

/** Where the words of an fToken are. */
export function fluidSlots(vault: Address, token: Address): Readonly<Record<'status' | 'prices' | 'supply', Hex>> {
  const inner = mappingSlot(vault, encodeAbiParameters([{ type: 'uint256' }], [USER_SUPPLY_SLOT]))
  return {
    status: encodeAbiParameters([{ type: 'uint256' }], [STATUS_SLOT]),
    prices: mappingSlot(token, encodeAbiParameters([{ type: 'uint256' }], [PRICES_SLOT])),
    supply: mappingSlot(token, inner),
  }
}

function mappingSlot(key: Address, slot: Hex): Hex {
  return keccak256(encodeAbiParameters([{ type: 'address' }, { type: 'bytes32' }], [key, slot]))
}

export interface FluidStorage {
  readonly status: bigint
  readonly prices: bigint
  readonly supply: bigint
}

/**
 * Whether the contract, the token in it, or this fToken in it is paused. `maxDeposit` and `maxWithdraw` do not show it.
 */
export function isFluidPaused({ status, prices, supply }: FluidStorage): boolean {
  return status === STATUS_PAUSED || bits(prices, 255n, 1n) === 1n || bits(supply, 255n, 1n) === 1n
}

/**
 * What the withdrawal limit leaves an fToken at a time, in base units of the token; `price`: of Liquidity's supply,
 * 1e12 = 1. The limit is the supply that must stay. It falls from its stored value, at each second by a part of what may
 * leave in the whole duration, down to the supply without that. A stored 0 is no limit. Rounded down, so that it can be
 * withdrawn: `maxWithdraw` rounds supply and limit each, and may be a unit more than Liquidity then pays.
 */
export function fluidWithdrawable({ supply: word }: FluidStorage, price: bigint, time: bigint): bigint {
  const supply = unpacked(bits(word, 1n, 64n))
  const stored = unpacked(bits(word, 65n, 64n))
  const part = (supply * bits(word, 162n, 14n)) / PARTS
  const duration = bits(word, 176n, 24n)
  const elapsed = time - bits(word, 129n, 33n)
  const fallen = duration === 0n ? supply - part : stored - (part * elapsed) / duration
  const limit = stored === 0n ? 0n : maxAmount(maxAmount(fallen, supply - part), 0n)
  return mulDivDown(maxAmount(supply - limit, 0n), price, PRICE_SCALE)
}

function bits(word: bigint, from: bigint, count: bigint): bigint {
  return (word >> from) & ((1n << count) - 1n)
}

/** An amount as a coefficient and an exponent of eight bits. */
function unpacked(packed: bigint): bigint {
  return (packed >> 8n) << (packed & 0xffn)
}

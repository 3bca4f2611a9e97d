import { base58 } from '@scure/base'
import { GENESIS_HASH, PROGRAM_DATA, USDC_FEED, VAULT_PROGRAM } from '../world/market.ts'
import type { RiskFacts } from '../world/state.ts'

/** Of Pyth's `PriceUpdateV2`. */
const DISCRIMINATOR = [34, 241, 35, 99, 157, 126, 244, 205]
/** Tags of the upgradeable loader's accounts. */
const PROGRAM = 2
const PROGRAM_IN_DATA = 3

/** The account that reports a fact; `undefined`: the address has none. `time` in Unix seconds. */
export function encodeFact(facts: RiskFacts, address: string, time: number): Buffer | undefined {
  if (address === USDC_FEED) return encodePrice(facts.usd, time)
  if (address === VAULT_PROGRAM) return Buffer.concat([tag(PROGRAM), base58.decode(PROGRAM_DATA)])
  if (address !== PROGRAM_DATA) return undefined
  const slot = Buffer.alloc(8)
  slot.writeBigUInt64LE(BigInt(facts.deployedIn))
  const authority = Buffer.concat([Buffer.from([1]), base58.decode(GENESIS_HASH)])
  return Buffer.concat([tag(PROGRAM_IN_DATA), slot, authority])
}

function encodePrice(usd: bigint, time: number): Buffer {
  const data = Buffer.alloc(134)
  data.set(DISCRIMINATOR)
  data[40] = 1
  data.writeBigInt64LE(usd, 73)
  data.writeInt32LE(-8, 89)
  data.writeBigInt64LE(BigInt(time), 93)
  return data
}

function tag(kind: number): Buffer {
  const data = Buffer.alloc(4)
  data.writeUInt32LE(kind)
  return data
}

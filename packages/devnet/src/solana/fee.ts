import type { Message } from './wire.ts'

const LAMPORTS_PER_SIGNATURE = 5_000n
const MICRO = 1_000_000n
const MAX_UNITS = 1_400_000n
const UNITS_PER_INSTRUCTION = 200_000n
const UNITS_PER_BUILTIN = 3_000n

const COMPUTE_BUDGET = 'ComputeBudget111111111111111111111111111111'
const SET_UNIT_LIMIT = 2
const SET_UNIT_PRICE = 3

/** Programs built into the runtime: their instructions reserve fewer compute units. */
const BUILTINS: ReadonlySet<string> = new Set([
  COMPUTE_BUDGET,
  '11111111111111111111111111111111',
  'Vote111111111111111111111111111111111111111',
  'BPFLoaderUpgradeab1e11111111111111111111111',
  'BPFLoader1111111111111111111111111111111111',
  'BPFLoader2111111111111111111111111111111111',
  'LoaderV411111111111111111111111111111111111',
])

/** The fee that a message costs its first signer, in lamports: per signature, plus its priority fee. */
export function feeOf(message: Message): bigint {
  let limit: bigint | null = null
  let price = 0n
  let reserved = 0n
  for (const { programAddressIndex, data } of message.instructions) {
    const program = message.staticAccounts[programAddressIndex] ?? ''
    reserved += BUILTINS.has(program) ? UNITS_PER_BUILTIN : UNITS_PER_INSTRUCTION
    if (program !== COMPUTE_BUDGET || data === undefined) continue
    const bytes = Buffer.from(data)
    if (bytes[0] === SET_UNIT_LIMIT && bytes.length >= 5) limit = BigInt(bytes.readUInt32LE(1))
    if (bytes[0] === SET_UNIT_PRICE && bytes.length >= 9) price = bytes.readBigUInt64LE(1)
  }
  const units = limit ?? reserved
  const priority = (price * (units < MAX_UNITS ? units : MAX_UNITS) + MICRO - 1n) / MICRO
  return BigInt(message.header.numSignerAccounts) * LAMPORTS_PER_SIGNATURE + priority
}

import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import type { SvmInstruction } from '../../server/src/chains/index.ts'
import { compile } from '../../server/src/chains/solana/transactions/message.ts'
import { toBase58 } from '../src/lib/transactions/base58.ts'
import { decodeSolana } from '../src/lib/transactions/solana-message.ts'

const OWNER = 'So11111111111111111111111111111111111111112'
const PROGRAM = 'KLend2g3cP87fffoy8q1mQqGKjrxjC8boSyAYavgmjD'
const OTHER = 'Vote111111111111111111111111111111111111111'
const BLOCKHASH = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v'

const instruction = (data: string): SvmInstruction => ({
  program: PROGRAM,
  accounts: [
    { address: OWNER, signer: true, writable: true },
    { address: OTHER, signer: false, writable: true },
    { address: BLOCKHASH, signer: false, writable: false },
  ],
  data: Buffer.from(data).toString('base64'),
})
const made = [instruction('a short one'), instruction('x'.repeat(300)), instruction('')]
const transaction = compile(OWNER, made, BLOCKHASH)
const signers = Object.keys(transaction.signatures).length
const bytes = Buffer.concat([
  Buffer.from([signers]),
  Buffer.alloc(64 * signers),
  Buffer.from(transaction.messageBytes),
]).toString('base64')

test('every instruction comes back with its program, accounts, roles and data', async () => {
  const decoded = await decodeSolana(bytes)
  expect(decoded.instructions).toEqual(
    made.map(({ program, accounts, data }) => ({ contract: program, accounts, data })),
  )
  expect(decoded.blockhash).toBe(BLOCKHASH)
})

test('the hash is that of what the signer signs', async () => {
  const { signingHash } = await decodeSolana(bytes)
  expect(signingHash).toBe(createHash('sha256').update(Uint8Array.from(transaction.messageBytes)).digest('hex'))
})

test('bytes that end early, go on, or are no such message are refused', async () => {
  const whole = Buffer.from(bytes, 'base64')
  const refused = [
    whole.subarray(0, -1),
    Buffer.concat([whole, Buffer.from([0])]),
    whole.subarray(1),
    Buffer.alloc(0),
    // A lookup table at its end.
    Buffer.concat([whole.subarray(0, -1), Buffer.from([1]), Buffer.alloc(34)]),
  ]
  for (const each of refused) await expect(decodeSolana(each.toString('base64'))).rejects.toThrow()
  await expect(decodeSolana('not base64!')).rejects.toThrow()
})

test('addresses are written as Solana does, with their leading zeros', () => {
  expect(toBase58(new Uint8Array(32))).toBe('1'.repeat(32))
  expect(toBase58(Uint8Array.from([0, 0, 1]))).toBe('112')
  expect(toBase58(Uint8Array.from([255]))).toBe('5Q')
  expect(toBase58(new Uint8Array())).toBe('')
})

import type { Verdict } from '@weir/verify'
import { expect, test } from 'vitest'
import type { AgentTransaction } from '../service/work.ts'
import { reservationOf } from './reserve.ts'

type Verified = Extract<Verdict, { ok: true }>

const meaning: Verified['meaning'] = {
  blockchain: 'polygon',
  signer: '0xMe',
  does: 'supply',
  venue: 'Aave V3 USDC',
  protocol: 'aave-v3',
  token: '0xusdc',
  amount: 5n,
  shares: null,
}
const evm: Verified = { ok: true, meaning, envelope: { family: 'evm', nonce: 7, maxCost: 100n }, moves: 5n }
const work = (unsignedTx: string, id = 1) => ({ id, unsignedTx, metadata: { token: 'USDC' } }) as AgentTransaction
const key = (unsignedTx: string, verified: Verified, id?: number) => reservationOf(work(unsignedTx, id), verified).key

test('on EVM chains a nonce is one move, whatever the fees and whatever transaction it is for', () => {
  const bumped: Verified = { ...evm, envelope: { family: 'evm', nonce: 7, maxCost: 200n } }
  expect(key('0x02', evm)).toBe(key('0x03', bumped, 2))
  const others: readonly Verified[] = [
    { ...evm, envelope: { family: 'evm', nonce: 8, maxCost: 100n } },
    { ...evm, meaning: { ...meaning, signer: '0xOther' } },
    { ...evm, meaning: { ...meaning, blockchain: 'base' } },
    { ...evm, meaning: { ...meaning, venue: 'Yield Vault USDC' } },
    { ...evm, meaning: { ...meaning, does: 'withdraw' } },
  ]
  expect(new Set([evm, ...others].map((one) => key('0x02', one))).size).toBe(6)
})

test('on Solana each message is a move, and its fee includes the deposit for an account', () => {
  const envelope = { family: 'svm', blockhash: 'b', maxCost: 100n, rent: 2_039_280n } as const
  const solana: Verified = { ok: true, meaning: { ...meaning, blockchain: 'solana' }, envelope, moves: 9n }
  expect(key('AAAA', solana)).toBe(key('AAAA', solana, 2))
  expect(key('AAAA', solana)).not.toBe(key('AAAB', solana))
  expect(reservationOf(work('AAAA'), solana).move).toMatchObject({ amount: 9n, fee: 2_039_380n, token: 'USDC' })
})

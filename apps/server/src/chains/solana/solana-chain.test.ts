import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  newKey,
  SOL,
  sign,
  signatureOf,
  startTestSolana,
  type TestSolana,
} from '../../../testing/chains/test-solana.ts'
import { Failure } from '../../kernel/index.ts'
import type { SvmCall } from '../port/calls.ts'
import { associatedTokenAddress } from './addresses/associated-token-address.ts'
import { TOKEN_PROGRAM } from './addresses/programs.ts'
import { createAssociatedTokenIdempotent, transferNative, u64 } from './transactions/instructions.ts'

let solana: TestSolana
let usdc: string
beforeAll(async () => {
  solana = await startTestSolana()
  usdc = solana.devnet.deployment.tokens[0]!.address
})
afterAll(() => solana?.stop())

const transfer = (from: string, to: string, lamports: bigint): SvmCall => ({
  family: 'svm',
  instructions: [transferNative(from, to, lamports)],
})

async function plan(sender: string, call: SvmCall, transactionId: number) {
  const senderState = await solana.chain.senderState(sender)
  return solana.chain.encode({ sender, call, nonce: null, gas: 50_000n, senderState, transactionId })
}

async function failureOf(work: Promise<unknown>): Promise<Failure> {
  const error = await work.catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(Failure)
  return error as Failure
}

test('a planned transaction is signed, checked, sent, and found in its block with its content', async () => {
  const { chain, devnet } = solana
  const [from, to] = [await solana.wallet(usdc, 0n), await newKey()]
  const { bytes, call, lifetime } = await plan(from.address, transfer(from.address, to.address, SOL), 41)
  const raw = await sign(from, bytes)
  const signed = await chain.checkSigned(raw, {
    sender: from.address,
    call,
    nonce: null,
    blockhash: lifetime.blockhash,
  })
  expect(signed).toEqual({ family: 'svm', hash: signatureOf(raw), raw })
  expect(await chain.findTransactions([signed.hash])).toEqual([undefined])
  expect(await chain.broadcast(raw)).toEqual({ outcome: 'accepted' })
  const { number } = await devnet.mine(1)
  expect(await chain.broadcast(raw)).toEqual({ outcome: 'known' })
  expect(await chain.findTransactions([signed.hash])).toEqual([
    {
      family: 'svm',
      hash: signed.hash,
      sender: from.address,
      nonce: null,
      instructions: expect.anything(),
      blockNumber: number,
    },
  ])
  const block = (await chain.block(number))!
  const included = block.transactions.find(({ hash }) => hash === signed.hash)!
  expect(included).toMatchObject({ succeeded: true, sender: from.address, blockNumber: number, gasLimit: 50_000n })
  expect(included.instructions.map(({ program, data }) => [program, data])).toEqual(
    call.instructions.map(({ program, data }) => [program, data]),
  )
  const [balance] = await chain.balances([{ owner: to.address, token: 'native' }])
  expect(balance).toBe(SOL)
})

test('the memo identifies the transaction, so two equal plans never share a signature', async () => {
  const from = await solana.wallet(usdc, 0n)
  const call = transfer(from.address, solana.treasury.address, 1n)
  const senderState = await solana.chain.senderState(from.address)
  const encode = (transactionId: number) =>
    solana.chain.encode({ sender: from.address, call, nonce: null, gas: 50_000n, senderState, transactionId })
  const [one, other] = [encode(1), encode(2)]
  expect(signatureOf(await sign(from, one.bytes))).not.toBe(signatureOf(await sign(from, other.bytes)))
  expect(Buffer.from(one.call.instructions.at(-1)!.data, 'base64').toString()).toBe('weir:1')
  expect(encode(1)).toEqual(one)
})

test('only the planned transaction passes: a different signer, blockhash or instruction, or no signature, is reported', async () => {
  const { chain } = solana
  const [from, stranger] = [await solana.wallet(usdc, 0n), await newKey()]
  const planned = await plan(from.address, transfer(from.address, stranger.address, 5n), 7)
  const check = { sender: from.address, call: planned.call, nonce: null, blockhash: planned.lifetime.blockhash }
  const fieldsOf = async (text: string) => (await failureOf(chain.checkSigned(text, check))).details

  const more = await plan(from.address, transfer(from.address, stranger.address, 6n), 7)
  expect(await fieldsOf(await sign(from, more.bytes))).toEqual({ fields: ['instructions'] })
  const another = await plan(from.address, transfer(from.address, stranger.address, 5n), 8)
  expect(await fieldsOf(await sign(from, another.bytes))).toEqual({ fields: ['instructions'] })
  await solana.devnet.mine(1)
  const fresh = await plan(from.address, transfer(from.address, stranger.address, 5n), 7)
  expect(await fieldsOf(await sign(from, fresh.bytes))).toEqual({ fields: ['blockhash'] })
  const theirs = await plan(stranger.address, transfer(stranger.address, stranger.address, 5n), 7)
  expect(await fieldsOf(await sign(stranger, theirs.bytes))).toEqual({
    fields: expect.arrayContaining(['sender', 'instructions']),
  })
  const raw = await sign(from, planned.bytes)
  const broken = Buffer.from(raw, 'base64')
  broken[5]! ^= 1
  expect(await failureOf(chain.checkSigned(broken.toString('base64'), check))).toMatchObject({
    code: 'TRANSACTION_MISMATCH',
    details: { fields: ['signature'] },
  })
  for (const text of [planned.bytes, raw.slice(0, 40), `${raw}AAAA`, 'not base64!']) {
    expect((await failureOf(chain.checkSigned(text, check))).code).toBe('VALIDATION_ERROR')
  }
})

test('the signer may choose any price for compute units', async () => {
  const { chain } = solana
  const from = await solana.wallet(usdc, 0n)
  const state = await chain.senderState(from.address)
  const call = transfer(from.address, solana.treasury.address, 5n)
  const base = { sender: from.address, call, nonce: null, senderState: state, transactionId: 3 }
  const planned = chain.encode({ ...base, gas: 50_000n })
  const dearer = chain.encode({ ...base, gas: 90_000n, senderState: { ...state, priorityFee: 5_000n } })
  const raw = await sign(from, dearer.bytes)
  const check = { sender: from.address, call: planned.call, nonce: null, blockhash: state.lifetime.blockhash }
  expect((await chain.checkSigned(raw, check)).raw).toBe(raw)
})

test('refusals are distinguished: no money for the fee, a failing program, an expired blockhash', async () => {
  const { chain, devnet } = solana
  const [rich, poor] = [await solana.wallet(usdc, 0n), await newKey()]
  const noFee = await plan(poor.address, transfer(poor.address, rich.address, 1n), 1)
  expect(await chain.broadcast(await sign(poor, noFee.bytes))).toMatchObject({
    outcome: 'refused',
    code: 'INSUFFICIENT_GAS',
  })
  const account = await associatedTokenAddress(rich.address, usdc)
  const burn = Buffer.from([8, ...u64(5n)]).toString('base64')
  const accounts = [account, usdc].map((address) => ({ address, signer: false, writable: true }))
  const signer = { address: rich.address, signer: true, writable: false }
  const call: SvmCall = {
    family: 'svm',
    instructions: [
      createAssociatedTokenIdempotent(rich.address, rich.address, usdc, account),
      { program: TOKEN_PROGRAM, accounts: [...accounts, signer], data: burn },
    ],
  }
  const failing = await plan(rich.address, call, 2)
  expect(await chain.broadcast(await sign(rich, failing.bytes))).toEqual({
    outcome: 'refused',
    code: 'SIMULATION_FAILED',
    reason: 'insufficient funds',
  })
  expect(await chain.simulate(rich.address, [call])).toEqual({
    ok: false,
    index: 0,
    code: 'REVERTED',
    reason: 'insufficient funds',
    // The rent deposit for the token account that the call opens.
    rentDeposits: 2_039_280n,
  })
  const late = await sign(rich, (await plan(rich.address, transfer(rich.address, poor.address, SOL), 3)).bytes)
  await devnet.mine(151)
  expect(await chain.broadcast(late)).toMatchObject({ outcome: 'stale' })
})

test('a slot without a block is skipped, and consecutive blocks link by their hashes', async () => {
  const { chain, devnet } = solana
  const before = (await chain.heads()).latest
  const { number } = await devnet.mine(1, 3)
  expect(number).toBe(before.number + 4)
  const found = (await chain.block(before.number + 1))!
  expect(found).toMatchObject({ number, parentHash: before.hash, height: before.height! + 1 })
  expect(await chain.block(number + 1)).toBeUndefined()
  expect((await chain.heads()).final).toMatchObject({ number, hash: found.hash })
})

test('balances as of a past block are exact, whatever happened since', async () => {
  const { chain } = solana
  const key = await solana.wallet(usdc, 0n)
  const query = [{ owner: key.address, token: usdc }]
  const heads: number[] = [(await chain.heads()).final.number]
  for (const amount of [5n, 7n, 11n]) {
    heads.push((await solana.fund(key.address, usdc, amount)).blockNumber)
    heads.push((await solana.devnet.mine(2, 1)).number)
  }
  const balances = await Promise.all(heads.map((at) => chain.balances(query, at)))
  expect(balances.flat()).toEqual([0n, 5n, 5n, 12n, 12n, 23n, 23n])
  await solana.devnet.mine(200)
  // Too long ago to compute from blocks; balances that the block itself changed are always available.
  expect((await failureOf(chain.balances(query, heads[2]!))).code).toBe('CHAIN_UNAVAILABLE')
  expect(await chain.balances(query, heads[3]!)).toEqual([12n])
})

test('simulation returns the compute units that a plan needs, and the fee follows from them', async () => {
  const { chain } = solana
  const from = await solana.wallet(usdc, 0n)
  const simulation = await chain.simulate(from.address, [transfer(from.address, solana.treasury.address, 5n)])
  if (!simulation.ok) throw new Error('the transfer would fail')
  const senderState = await chain.senderState(from.address)
  expect(chain.networkFee(simulation.gas, { ...senderState, priorityFee: 1_000_000n })).toBe(
    5_000n + simulation.gas[0]!,
  )
  const unsigned = chain.encode({
    sender: from.address,
    call: transfer(from.address, solana.treasury.address, 5n),
    nonce: null,
    gas: simulation.gas[0]!,
    senderState,
    transactionId: Number.MAX_SAFE_INTEGER,
  })
  const raw = await sign(from, unsigned.bytes)
  await chain.broadcast(raw)
  expect(await solana.landed(signatureOf(raw))).toMatchObject({ succeeded: true })
})

test('a node of another cluster is not trusted', async () => {
  const { createSolanaChain } = await import('./create-solana-chain.ts')
  const { silentLog, systemClock } = await import('../../kernel/index.ts')
  const network = { ...solana.chain.network, genesisHash: '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d' }
  const chain = createSolanaChain({ network, rpcUrls: [solana.devnet.url], log: silentLog, clock: systemClock })
  expect((await failureOf(chain.heads())).code).toBe('CHAIN_UNAVAILABLE')
})

import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Address } from '@solana/addresses'
import {
  appendTransactionMessageInstructions,
  createTransactionMessage,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash,
} from '@solana/transaction-messages'
import { compileTransaction, getBase64EncodedWireTransaction } from '@solana/transactions'
import { type EvmChain, type SolanaChain, startEvmChain, startSolanaChain } from '@weir/devnet'
import { type EvmRules, type SolanaRules, sandboxAllowList } from '@weir/verify'
import { keccak256 } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { until } from '../../../server/testing/until.ts'
import { startFakeServer } from '../../testing/fake-server.ts'
import type { SignedTransaction } from '../journal/index.ts'
import { solanaMessage, solanaSigned } from '../sign/index.ts'
import { addressOf, newSecret, signWith } from '../signers/keystore/keys.ts'
import { evmIdentity, solanaIdentity } from './chain-identity.ts'
import { createEvmNode } from './evm-node.ts'
import { inContext, isHeader, isQuantity } from './forms.ts'
import { createRpc } from './rpc.ts'
import { createSolanaNode } from './solana-node.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'weir-agent-nodes-'))
const SILENT = 'http://127.0.0.1:1'
let evm: EvmChain
let solana: SolanaChain
beforeAll(async () => {
  ;[evm, solana] = await Promise.all([
    startEvmChain({ blockchain: 'base', dataDir, heartbeatSeconds: 0 }),
    startSolanaChain({ dataDir, heartbeatSeconds: 0 }),
  ])
})
afterAll(async () => {
  await Promise.all([evm.stop(), solana.stop()])
  rmSync(dataDir, { recursive: true, force: true })
})

const entry = (more: Partial<SignedTransaction>): SignedTransaction => ({
  transactionId: 1,
  operationId: 1,
  blockchain: 'base',
  signer: '',
  unsigned: '',
  raw: '',
  hash: '',
  nonce: null,
  meaning: '',
  venue: '',
  leaseToken: null,
  genesis: '',
  height: null,
  ...more,
})

describe('an EVM chain', () => {
  const rules = sandboxAllowList.chains.find(({ blockchain }) => blockchain === 'base') as EvmRules
  const node = (urls = [evm.url]) =>
    createEvmNode('base', createRpc('base', urls, { identity: evmIdentity(rules) }), 'latest')

  async function payment(key: `0x${string}`, nonce: number, value = 1n): Promise<SignedTransaction> {
    const account = privateKeyToAccount(key)
    const raw = await account.signTransaction({
      type: 'eip1559',
      chainId: evm.chainId,
      nonce,
      gas: 21_000n,
      maxFeePerGas: 10_000_000_000n,
      maxPriorityFeePerGas: 1n,
      to: account.address,
      value,
    })
    return entry({ signer: account.address, raw, hash: keccak256(raw), nonce })
  }
  const treasuryNonce = async () => {
    const of = [evm.deployment.treasury.address, 'latest']
    return Number(await createRpc('base', [evm.url]).read('eth_getTransactionCount', of, isQuantity))
  }

  test('reports the state of bytes: lost, then final, and dead once another transaction used their nonce', async () => {
    const nonce = await treasuryNonce()
    const key = evm.deployment.treasury.privateKey
    const [one, other] = [await payment(key, nonce, 1n), await payment(key, nonce, 2n)]
    expect(await node().transactionState(one)).toBe('lost')
    expect(await node().send(one)).toEqual({ outcome: 'accepted' })
    await until(async () => (await node().transactionState(one)) === 'final')
    expect(await node().transactionState(other)).toBe('dead')
    expect(await node().send(other)).toMatchObject({ outcome: 'stale' })
    expect(await node().send(one)).toEqual({ outcome: 'accepted' })
  })

  test('refuses with certainty what cannot be paid for, unless another endpoint may have accepted it', async () => {
    const poor = await payment(generatePrivateKey(), 0)
    expect(await node().send(poor)).toMatchObject({
      outcome: 'refused',
      reason: expect.stringMatching(/insufficient funds/i),
    })
    expect(await node([SILENT, evm.url]).send(poor)).toMatchObject({ outcome: 'unknown' })
    expect(await node([SILENT]).send(poor)).toMatchObject({ outcome: 'unknown' })
  })

  /** An endpoint that answers this to what is sent. */
  async function endpointThatSays(error: object): Promise<string> {
    const server = await startFakeServer(async (_request, body) => {
      if (JSON.parse(body).method === 'eth_sendRawTransaction') return { status: 200, body: JSON.stringify({ error }) }
      const headers = { 'content-type': 'application/json' }
      return { status: 200, body: await (await fetch(evm.url, { method: 'POST', headers, body })).text() }
    })
    onTestFinished(() => server.close())
    return server.url
  }

  test.each([
    ['lacks the method', { code: -32_601, message: 'the method eth_sendRawTransaction does not exist' }],
    ['does not support it', { code: -32_004, message: 'method not supported' }],
    ['has it switched off', { code: -32_000, message: 'eth_sendRawTransaction is not supported by this plan' }],
  ])('goes on to the next endpoint where one %s', async (_which, error) => {
    const url = await endpointThatSays(error)
    const good = await payment(evm.deployment.treasury.privateKey, await treasuryNonce())
    expect(await node([url]).send(good)).toMatchObject({ outcome: 'unknown', reason: error.message })
    expect(await node([url, evm.url]).send(good)).toEqual({ outcome: 'accepted' })
    await until(async () => (await node().transactionState(good)) === 'final')
  })

  test('what lacks the method got nothing, so that the refusal of the next endpoint is certain', async () => {
    const url = await endpointThatSays({ code: -32_601, message: 'the method does not exist' })
    const poor = await payment(generatePrivateKey(), 0)
    expect(await node([url, evm.url]).send(poor)).toMatchObject({ outcome: 'refused' })
  })

  test('a refusal of the type of transaction is certain, and an error without words decides nothing', async () => {
    const typed = await endpointThatSays({ code: -32_000, message: 'transaction type not supported' })
    const poor = await payment(generatePrivateKey(), 0)
    expect(await node([typed]).send(poor)).toMatchObject({ outcome: 'refused' })
    expect(await node([await endpointThatSays({ code: -32_000 })]).send(poor)).toMatchObject({ outcome: 'unknown' })
  })

  test('recognizes its chain when the node has another block 0 after a restart', async () => {
    const [genesis, another] = [evm.deployment.genesisHash, `0x${'ab'.repeat(32)}`]
    const restarted = createServer(async (request, response) => {
      const body = Buffer.concat(await request.toArray())
      const answer = await fetch(evm.url, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
      response.end((await answer.text()).replaceAll(`"hash":"${genesis}"`, `"hash":"${another}"`))
    })
    await new Promise<void>((resolve) => restarted.listen(0, '127.0.0.1', resolve))
    const { port } = restarted.address() as AddressInfo
    const rpc = createRpc('base', [`http://127.0.0.1:${port}`])
    expect(await rpc.read('eth_getBlockByNumber', ['0x0', false], isHeader)).toMatchObject({ hash: another })
    expect(await createEvmNode('base', rpc, 'latest').genesis()).toBe(genesis)
    restarted.close()
  })

  test.each([
    ['null', { result: null }],
    ['that it pruned its history', { error: { code: 4444, message: 'pruned history unavailable' } }],
  ])('recognizes its chain behind nodes that answer block 1 by %s', async (_which, answer) => {
    const pruned = await startFakeServer(async (_request, body) => {
      const { method, params } = JSON.parse(body) as { method: string; params: unknown[] }
      if (method === 'eth_getBlockByNumber' && params[0] === '0x1') return { status: 200, body: JSON.stringify(answer) }
      const headers = { 'content-type': 'application/json' }
      return { status: 200, body: await (await fetch(evm.url, { method: 'POST', headers, body })).text() }
    })
    const { hash } = await createRpc('base', [evm.url]).read('eth_getBlockByNumber', ['0x0', false], isHeader)
    expect(await node([pruned.url]).genesis()).toBe(hash)
    expect(await node([pruned.url]).serves(hash)).toBe(true)
    expect(await node([pruned.url, evm.url]).genesis()).toBe(evm.deployment.genesisHash)
    await pruned.close()
  })

  test('tries the next endpoint if one does not respond, and reports when none does', async () => {
    expect(await node([SILENT, evm.url]).genesis()).toBe(evm.deployment.genesisHash)
    await expect(node([SILENT]).genesis()).rejects.toMatchObject({ name: 'NodeSilent' })
    expect(await node().identityProblems()).toEqual([])
    const identity = evmIdentity({ ...rules, chainId: 8453 })
    const other = createEvmNode('base', createRpc('base', [SILENT, evm.url], { identity }), 'latest')
    expect(await other.identityProblems()).toEqual([
      { isOther: false, reason: 'RPC endpoint 1 of base (127.0.0.1:1) does not respond: TypeError' },
      {
        isOther: true,
        reason: `RPC endpoint 2 of base (${new URL(evm.url).host}) serves chain 31339, but the list says 8453`,
      },
    ])
    await expect(other.genesis()).rejects.toThrow('serves chain 31339, but the list says 8453')
  })
})

describe('Solana', () => {
  const hasBlockhash = (value: unknown): value is { blockhash: string } => Object.hasOwn(Object(value), 'blockhash')
  const rules = sandboxAllowList.chains.find(({ family }) => family === 'svm') as SolanaRules
  const node = (urls = [solana.url]) => createSolanaNode(rules, createRpc('solana', urls), 'confirmed')

  async function memo(secret: Uint8Array, text: string): Promise<SignedTransaction> {
    const payer = addressOf('svm', secret)
    const rpc = createRpc('solana', [solana.url])
    const latest = await rpc.read('getLatestBlockhash', [], inContext(hasBlockhash))
    const lifetime = { ...latest.value, lastValidBlockHeight: 0n } as Parameters<
      typeof setTransactionMessageLifetimeUsingBlockhash
    >[0]
    const program = 'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr' as Address
    const empty = setTransactionMessageFeePayer(payer as Address, createTransactionMessage({ version: 0 }))
    const instruction = { programAddress: program, accounts: [], data: Buffer.from(text) }
    const message = setTransactionMessageLifetimeUsingBlockhash(lifetime, empty)
    const compiled = compileTransaction(appendTransactionMessageInstructions([instruction], message))
    const unsigned = getBase64EncodedWireTransaction(compiled)
    const signature = await signWith('svm', secret, solanaMessage(unsigned))
    return entry({ ...solanaSigned(unsigned, signature, payer), signer: payer, height: await node().height() })
  }
  const treasury = () => solana.deployment.treasury.secretKey.subarray(0, 32)

  test('reports the state of bytes: lost, then final, and dead only when no block can include them', async () => {
    const [one, other] = [await memo(treasury(), 'one'), await memo(treasury(), 'other')]
    expect(await node().transactionState(one)).toBe('lost')
    expect(await node().send(one)).toEqual({ outcome: 'accepted' })
    await until(async () => (await node().transactionState(one)) === 'final')
    await solana.mine(160)
    expect(await node().transactionState(other)).toBe('lost')
    await solana.mine(60)
    expect(await node().transactionState(other)).toBe('dead')
    expect(await node().transactionState(one)).toBe('final')
  })

  test('refuses with certainty what its simulation rejects, and reports expired bytes as stale', async () => {
    const poor = await memo(newSecret('svm'), 'poor')
    expect(await node().send(poor)).toMatchObject({ outcome: 'refused' })
    const old = await memo(treasury(), 'old')
    await solana.mine(220)
    expect(await node().send(old)).toMatchObject({ outcome: 'stale' })
  })

  test('goes on to the next endpoint where one lacks the method', async () => {
    const error = { code: -32_601, message: 'Method not found' }
    const server = await startFakeServer(() => ({ status: 200, body: JSON.stringify({ error }) }))
    onTestFinished(() => server.close())
    const poor = await memo(newSecret('svm'), 'nobody pays')
    expect(await node([server.url, solana.url]).send(poor)).toMatchObject({ outcome: 'refused' })
    expect(await node([server.url]).send(poor)).toMatchObject({ outcome: 'unknown', reason: 'Method not found' })
    expect(await node([server.url, solana.url]).send(await memo(treasury(), 'next'))).toEqual({ outcome: 'accepted' })
  })

  test('must be the cluster of the list, if the list names one', async () => {
    expect(await node().identityProblems()).toEqual([])
    const named = { ...rules, genesisHash: rules.tokens[0]!.address }
    const rpc = createRpc('solana', [solana.url], { identity: solanaIdentity(named) })
    const other = createSolanaNode(named, rpc, 'confirmed')
    expect(await other.identityProblems()).toMatchObject([
      { isOther: true, reason: expect.stringContaining('but the list says a different one') },
    ])
    await expect(other.genesis()).rejects.toMatchObject({ name: 'NodeSilent' })
  })
})

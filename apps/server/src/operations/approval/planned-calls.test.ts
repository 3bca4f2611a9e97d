// Also tested elsewhere: the same text in the browser (apps/dashboard/src/lib/transactions/planned-calls.test.ts), and Solana's calls
// through planning and issuing (agents/poll-transactions-solana.test.ts).
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { encodeFunctionData, getAddress, parseAbi, parseTransaction } from 'viem'
import { beforeEach, describe, expect, test } from 'vitest'
import { createTestAgent, type TestAgent } from '../../../testing/agents/test-agent.ts'
import { expectRefused } from '../../../testing/operations/expect-refused.ts'
import { useEngine } from '../../../testing/operations/use-engine.ts'
import {
  createOperationalWallet,
  MANUAL_POLICY,
  planExplicitMove,
  setPolicy,
} from '../../../testing/rebalancing/operational-wallets.ts'
import { USDC } from '../../../testing/units.ts'
import { callParts, type EvmCall, evmCall, type SvmInstruction } from '../../chains/index.ts'
import type { OperationalWallet } from '../../wallets/index.ts'
import type { Operation } from '../lifecycle/states/operation.ts'
import { approveOperation } from './approve-operation.ts'
import { plannedCallsHash, plannedCallsText } from './planned-calls.ts'
import { rejectOperation } from './reject-operation.ts'

const use = useEngine()
const base64 = (text: string) => Buffer.from(text).toString('base64')
const hashOf = (text: string) => createHash('sha256').update(text).digest('hex')

describe('the text', () => {
  const named = (calls: readonly object[], blockchain: string, sender: string) =>
    ({
      organizationId: 7,
      operationId: 345,
      transactions: calls.map((call) => ({ call, blockchain, sender })),
    }) as unknown as Operation
  const WALLET = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48'

  test('is that of docs/approvals.md, with the hash that it names', () => {
    const document = readFileSync(join(import.meta.dirname, '../../../../../docs/approvals.md'), 'utf8')
    const [, text = ''] = /```\n(weir calls 1\n[\s\S]*?)```/.exec(document) ?? []
    const [, hash] = /\(here\s+`([0-9a-f]{64})`\)/.exec(document) ?? []
    const fields = [...text.matchAll(/^(contract|data): (.*)$/gm)].map(([, , value]) => value!)
    const calls = [0, 2].map((at) => ({ family: 'evm', to: fields[at], value: 0n, data: fields[at + 1] }))
    const operation = named(calls, 'polygon', WALLET)
    expect(plannedCallsText('sandbox', operation)).toBe(text)
    expect(plannedCallsHash('sandbox', operation)).toBe(hash)
    expect(hashOf(text)).toBe(hash)
  })

  test('names programs, accounts with their roles and data on Solana, and leaves out the memo', () => {
    const owner = 'So11111111111111111111111111111111111111112'
    const instruction: SvmInstruction = {
      program: 'KLend2g3cP87fffoy8q1mQqGKjrxjC8boSyAYavgmjD',
      accounts: [
        { address: owner, signer: true, writable: true },
        { address: owner, signer: false, writable: false },
      ],
      data: base64('deposit'),
    }
    const memo = { program: 'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr', accounts: [], data: base64('weir:42') }
    const planned = named([{ family: 'svm', instructions: [instruction] }], 'solana', owner)
    const issued = named([{ family: 'svm', instructions: [instruction, memo] }], 'solana', owner)
    expect(plannedCallsText('live', planned)).toBe(
      [
        'weir calls 1',
        'environment: live',
        'organization: 7',
        'operation: 345',
        'blockchain: solana',
        `wallet: ${owner}`,
        'step: 1',
        `contract: ${instruction.program}`,
        `account: ${owner} signer writable`,
        `account: ${owner}`,
        `data: ${instruction.data}`,
        '',
      ].join('\n'),
    )
    expect(plannedCallsHash('live', issued)).toBe(plannedCallsHash('live', planned))
    const other = { ...memo, data: base64('weir:42 and more') }
    expect(callParts({ family: 'svm', instructions: [other] })).toHaveLength(1)
  })

  test('differs with each of its values', () => {
    const call: EvmCall = { family: 'evm', to: WALLET, value: 0n, data: '0x12' }
    const hash = (change: Partial<EvmCall>, count = 1) =>
      plannedCallsHash('live', named(Array(count).fill({ ...call, ...change }), 'base', WALLET))
    const all = [
      hash({}),
      hash({ to: '0xdAC17F958D2ee523a2206206994597C13D831ec7' }),
      hash({ value: 1n }),
      hash({ data: '0x13' }),
      hash({}, 2),
      plannedCallsHash('sandbox', named([call], 'base', WALLET)),
    ]
    expect(new Set(all).size).toBe(all.length)
  })
})

describe('what was approved', () => {
  let wallet: OperationalWallet
  let userId: number
  let agent: TestAgent

  beforeEach(async () => {
    wallet = await createOperationalWallet(use.engine, use.client)
    await setPolicy(use.engine, wallet.organizationId, MANUAL_POLICY)
    const { id } = await use.engine.db
      .selectFrom('users')
      .select('id')
      .where('organization_id', '=', wallet.organizationId)
      .executeTakeFirstOrThrow()
    userId = id
    agent = createTestAgent(use.engine, use.client)
  })

  const plan = () => planExplicitMove(use.engine, wallet, { type: 'SUPPLY', amount: 600n * USDC })
  const approve = ({ operationId }: Operation, callsHash?: string) =>
    approveOperation(use.engine.parts, { scope: use.client.scope, operationId, userId, callsHash })
  /** Sets the allowance of the spender that the plan approves, without the service. */
  const allow = async (operation: Operation, amount: bigint) => {
    const supply = evmCall(operation.transactions.at(-1)!.call)
    const abi = parseAbi(['function approve(address spender, uint256 amount)'])
    const data = encodeFunctionData({ abi, functionName: 'approve', args: [supply.to as `0x${string}`, amount] })
    await use.dev.included(await use.dev.call(use.client.account, use.client.usdcAddress, data))
  }
  const callsOf = ({ transactions }: Operation) => transactions.map(({ call }) => call)

  test('is issued call by call, although the allowance changed in a way that would plan other steps', async () => {
    const planned = await plan()
    expect(planned.transactions.map(({ kind }) => kind)).toEqual(['approve', 'supply'])
    await approve(planned, plannedCallsHash('sandbox', planned))
    await allow(planned, 600n * USDC)
    const first = await agent.pollRequired()
    const { to, data } = parseTransaction(first.transaction.unsignedBytes as `0x${string}`)
    const [approved] = callsOf(planned).map(evmCall)
    expect({ to: getAddress(to!), data }).toEqual({ to: approved!.to, data: approved!.data })
    await agent.submitted(first, await use.dev.included(await agent.send(first)))
    await use.engine.settle()
    const ended = await agent.carryOut({ ...planned, transactions: planned.transactions.slice(1) })
    expect(ended).toMatchObject({ state: 'COMPLETED', settledAmount: 600n * USDC })
    expect(callsOf(ended)).toEqual(callsOf(planned))
  })

  test('and can no longer be executed is aborted, and never planned again with other calls', async () => {
    await allow(await plan().then(rejected), 600n * USDC)
    const planned = await plan()
    expect(planned.transactions.map(({ kind }) => kind)).toEqual(['supply'])
    await approve(planned)
    await allow(planned, 0n)
    for (const wait of [0, 10_000, 290_000]) {
      use.engine.clock.advance(wait)
      expect(await agent.poll()).toBeUndefined()
      expect(callsOf(await use.client.operation(planned))).toEqual(callsOf(planned))
    }
    expect(await use.client.operation(planned)).toMatchObject({ state: 'ABORTED' })
  })

  test('without approvals, the steps follow the allowance', async () => {
    await setPolicy(use.engine, wallet.organizationId, { ...MANUAL_POLICY, mode: 'automatic' })
    const planned = await plan()
    await allow(planned, 600n * USDC)
    expect((await agent.pollRequired()).transaction.kind).toBe('supply')
  })

  test('an approval over other calls than those of the operation is refused: CONFLICT, and counts nowhere', async () => {
    const planned = await plan()
    await expectRefused(use.engine.db, 'CONFLICT', () => approve(planned, 'ab'.repeat(32)))
    expect(await use.client.operation(planned)).toMatchObject({ state: 'PENDING_APPROVAL' })
    expect(await approve(planned, plannedCallsHash('sandbox', planned))).toMatchObject({ approvals: 1 })
  })

  /** Ends an operation that only showed what it calls. */
  async function rejected(operation: Operation): Promise<Operation> {
    await rejectOperation(use.engine.parts, { scope: use.client.scope, operationId: operation.operationId, userId })
    return operation
  }
})

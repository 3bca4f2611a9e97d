import { type AgentParts, createTransactionPolls } from '../../src/agents/index.ts'
import { systemRandomSource } from '../../src/kernel/index.ts'
import {
  type AgentReport,
  type IssuedBytes,
  type Operation,
  type Parts,
  reportFailed,
  reportSubmitted,
} from '../../src/operations/index.ts'
import type { EngineFixture } from '../operations/engine-fixture.ts'
import type { SignOptions, TestClient } from '../operations/test-client.ts'

export const LEASE_MS = 30_000

/** An organization's custody agent that a test drives step by step. */
export interface TestAgent {
  /** Polls once without waiting; `undefined`: there is nothing to sign. */
  poll(leaseDurationMs?: number): Promise<IssuedBytes | undefined>
  /** Like `poll`, but there must be something to sign. */
  pollRequired(leaseDurationMs?: number): Promise<IssuedBytes>
  /** Signs and sends without reporting it. Returns the hash. */
  send(handedOut: IssuedBytes, options?: SignOptions): Promise<string>
  submitted(handedOut: IssuedBytes, txHash: string): Promise<AgentReport>
  failed(handedOut: IssuedBytes, how?: { error?: string; withToken?: boolean }): Promise<AgentReport>
  /** Leases, sends and reports all transactions of an operation, and settles. Returns the updated operation. */
  carryOut(operation: Operation): Promise<Operation>
}

/** Each call simulates a separate process: agents share only the database. */
export function createTestAgent(engine: EngineFixture, client: TestClient, parts: Parts = engine.parts): TestAgent {
  const { organizationId } = client.wallet
  const agentParts: AgentParts = { ...parts, random: systemRandomSource }
  const pollTransactions = createTransactionPolls(agentParts)
  const agent: TestAgent = {
    poll: (leaseDurationMs = LEASE_MS) =>
      pollTransactions({ organizationId, leaseDurationMs, signal: AbortSignal.abort() }),
    async pollRequired(leaseDurationMs) {
      const handedOut = await agent.poll(leaseDurationMs)
      if (!handedOut) throw new Error('there is nothing to sign')
      return handedOut
    },
    send: ({ transaction }, options) => client.send(transaction, options),
    submitted: ({ transaction: { transactionId }, lease: { leaseToken } }, txHash) =>
      reportSubmitted(parts, { organizationId, transactionId, txHash, leaseToken }),
    failed: ({ transaction: { transactionId }, lease: { leaseToken } }, { error = 'no', withToken = true } = {}) =>
      reportFailed(parts, { organizationId, transactionId, error, ...(withToken && { leaseToken }) }),
    async carryOut({ operationId, transactions }) {
      for (const _ of transactions) {
        const handedOut = await agent.pollRequired()
        const txHash = await agent.send(handedOut)
        await agent.submitted(handedOut, txHash)
        await engine.dev.included(txHash)
        await engine.settle()
      }
      return client.operation({ operationId })
    },
  }
  return agent
}

import { GOOD_NODES } from '../service/node.ts'
import { inStatementsWith, replaced } from '../service/rewrite.ts'
import type { BrokenRule } from './broken-rule.ts'

/** Makes agents work often, without interference from clients. */
export const AGENTS = {
  treasury: true,
  often: ['an agent acts', 'rebalance', 'mine', 'follow the chain'],
  never: ['plan a supply', 'plan concurrently', 'plan an unwind'],
} as const

/** What others do, where agents are to do all that waits at once. */
export const STEPS_OF_OTHERS = [
  'an agent dies',
  'agents act concurrently',
  'approve or reject',
  'two people decide concurrently',
  'change the approval policy',
  'submit the next transaction',
  'mine',
] as const

/** Markets run out of liquidity while buffers change. */
const LENT = {
  ...AGENTS,
  unkind: true,
  faults: GOOD_NODES,
  often: [...AGENTS.often, 'change a buffer', 'lend out a market'],
  never: [...AGENTS.never, 'change a market and gas'],
} as const

/** A bit of the configuration of Aave's reserves. */
export const RESERVE_FROZEN = 1n << 57n

/** Every read of an operational wallet for a plan returns a zero buffer. */
const withoutBuffer = replaced('"own"."buffer_amount"', '0::numeric as "buffer_amount"')

/** Broken rules of a treasury: leases, approvals, buffers. */
export const BROKEN_TREASURY: readonly BrokenRule[] = [
  {
    rule: 1,
    name: 'an expired lease is followed by new bytes',
    seed: 6,
    emphasis: { ...AGENTS, often: [...AGENTS.often, 'an agent stalls', 'an agent dies'] },
    finds: /can still land|took effect twice/,
    sabotage: {
      async afterStep(pool) {
        await pool.query(`update transactions t set can_still_land = false from agent_work w
          where w.transaction_id = t.id and t.state = 'unsigned' and t.can_still_land and w.stage in ('leased', 'paused')`)
      },
    },
  },
  {
    rule: 2,
    name: 'a new plan takes a nonce above one that an ended plan may still use',
    seed: 4,
    emphasis: {
      ...AGENTS,
      often: [...AGENTS.often, 'an agent sends old bytes', 'sweep agent work'],
    },
    finds: /can land with nonce|took effect twice|never settled/,
    sabotage: {
      async afterStep(pool) {
        await pool.query(`update transactions t set can_still_land = false from operations o
          where o.id = t.operation_id and o.executor = 'agent' and o.state in ('FAILED', 'ABORTED')
            and t.finalized_at is null and t.can_still_land`)
      },
    },
  },
  {
    rule: 4,
    name: 'a FAILED report ends what another agent holds',
    seed: 6,
    // The second holder of the same bytes must report FAILED before its lease lapses: agents lose work, bytes and
    // signers often, and transactions are leased again instead of landing.
    emphasis: {
      treasury: true,
      signerFailure: 0.5,
      faults: { ...GOOD_NODES, lostBefore: 0.9 },
      often: ['an agent acts', 'rebalance', 'an agent dies', 'request an allocation', 'sweep agent work'],
      never: [...AGENTS.never, 'change the approval policy', 'change a market and gas'],
    },
    finds: /a FAILED report ended/,
    sabotage: {
      async afterStep(pool) {
        await pool.query('update agent_work set lease_count = 1 where lease_count > 1')
      },
    },
  },
  {
    rule: 4,
    name: 'a claim that ends without bytes takes the latest lease away',
    seed: 1,
    emphasis: {
      ...AGENTS,
      faults: { ...GOOD_NODES, refuse: 0.15 },
      often: [...AGENTS.often, 'an agent stalls', 'an agent reports late'],
    },
    finds: /the FAILED report of the latest lease of transaction \d+ is refused/,
    sabotage: {
      claim: replaced('then last_lease_token else lease_token end', 'then last_lease_token else null end'),
    },
  },
  {
    rule: 4,
    name: 'a lease counts as expired while it is held',
    seed: 1,
    emphasis: AGENTS,
    finds: /is leased to/,
    sabotage: { claim: replaced(/w\.available_at <= (\$\d+)/g, '(w.available_at <= $1 or true)') },
  },
  {
    rule: 10,
    name: 'the plan is not checked again when it is claimed',
    seed: 11,
    emphasis: { ...AGENTS, faults: GOOD_NODES, often: [...AGENTS.often, 'change a buffer', 'send tokens away'] },
    finds: /leaves .* where the buffer is/,
    sabotage: { claim: withoutBuffer },
  },
  {
    rule: 10,
    name: 'operations that need approval go to agents without it',
    seed: 3,
    emphasis: { ...AGENTS, often: [...AGENTS.often, 'change the approval policy'] },
    finds: /needs 0 approvals/,
    sabotage: { statement: replaced('from "approval_policies" where', 'from "approval_policies" where false and') },
  },
  {
    rule: 10,
    name: 'the first of several approvals is enough',
    seed: 24,
    emphasis: { ...AGENTS, often: [...AGENTS.often, 'change the approval policy', 'approve or reject'] },
    finds: /of 2 approvals/,
    sabotage: {
      statement: replaced('count(approval.user_id) filter', '5 + count(approval.user_id) filter'),
    },
  },
  {
    rule: 10,
    name: 'a requester approves their own operation',
    seed: 13,
    emphasis: {
      ...AGENTS,
      often: [
        ...AGENTS.often,
        'change the approval policy',
        'approve or reject',
        'request an allocation',
        'request a withdrawal',
      ],
    },
    finds: /of [12] approvals/,
    sabotage: {
      statement: replaced(
        'count(*) filter (where member.id is distinct from',
        '0 * count(*) filter (where member.id is distinct from',
      ),
    },
  },
  {
    rule: 10,
    name: 'the buffer is ignored for requested deployments',
    seed: 2,
    emphasis: { ...AGENTS, faults: GOOD_NODES, often: [...AGENTS.often, 'request an allocation', 'change a buffer'] },
    finds: /planned to leave|leaves .* where the buffer is/,
    sabotage: { statement: withoutBuffer },
  },
  {
    rule: 7,
    name: 'a balance is read from a node that lags behind what was settled',
    seed: 10,
    emphasis: { ...AGENTS, faults: GOOD_NODES, often: [...AGENTS.often, 'change a buffer'] },
    finds: /rests on a balance from before the last settled block/,
    sabotage: {
      // Whatever block a read asks for at least, a node responds that is ten blocks behind it.
      chain: (real) => ({
        ...real,
        balances: (asked, at, atLeast) =>
          real.balances(asked, at ?? (atLeast === undefined ? undefined : Math.max(0, atLeast - 10))),
      }),
    },
  },
  {
    rule: 10,
    name: 'deployed funds are not withdrawn when a buffer needs them',
    seed: 19,
    steps: 45,
    emphasis: { ...AGENTS, often: [...AGENTS.often, 'change a buffer'] },
    finds: /the buffer is not restored/,
    sabotage: {
      statement: inStatementsWith(
        ['"op_wallet_id", "allocations"."shares"'],
        replaced('where ("operational_wallets"', 'where false and ("operational_wallets"'),
      ),
    },
  },
  {
    rule: 10,
    name: 'a wallet that waits for another operation is planned anyway',
    seed: 1,
    emphasis: AGENTS,
    finds: /are both unfinished/,
    sabotage: {
      statement: inStatementsWith(
        ['chain_nonces', 'busy'],
        replaced(/"operations"\."state" in \([^)]*\)/, 'false'),
        replaced(/and o\.state in \('PLANNING', [^)]*\)/, 'and false'),
      ),
    },
  },
  {
    rule: 10,
    name: 'what a strategy can pay now is not read',
    seed: 4,
    emphasis: LENT,
    finds: /the buffer is not restored/,
    sabotage: {
      chain: (real) => ({
        ...real,
        async multicall(calls, at) {
          const unlimited = new Set(['maxRedeem', 'maxWithdraw'])
          const results = await real.multicall(calls, at)
          return results.map((result, index) => {
            const { functionName, address, args } = calls[index]!
            const isIdle = functionName === 'balanceOf' && address !== args?.[0] && typeof result === 'bigint'
            return unlimited.has(functionName) || (isIdle && calls.length > 5) ? 10n ** 30n : result
          })
        },
      }),
    },
  },
  {
    rule: 10,
    name: 'contracts that accept deposits count as closed',
    seed: 1,
    steps: 12,
    emphasis: LENT,
    finds: /funds are idle/,
    sabotage: {
      chain: (real) => ({
        ...real,
        async multicall(calls, at) {
          const results = await real.multicall(calls, at)
          return results.map((result, index) => {
            const { functionName } = calls[index]!
            if (functionName === 'maxDeposit') return 0n
            if (functionName !== 'getReserveData') return result
            const data = result as { readonly configuration: bigint }
            return { ...data, configuration: data.configuration | RESERVE_FROZEN }
          })
        },
      }),
    },
  },
  {
    rule: 9,
    name: 'allowances that ended deposits left are not revoked',
    seed: 3,
    steps: 45,
    emphasis: { ...AGENTS, faults: GOOD_NODES, often: [...AGENTS.often, 'change a buffer', 'send tokens away'] },
    finds: /left is not revoked/,
    sabotage: {
      statement: replaced("coalesce(allowances.left_behind, '[]')", "'[]'::jsonb"),
    },
  },
]

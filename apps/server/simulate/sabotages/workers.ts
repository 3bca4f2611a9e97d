import { GOOD_NODES } from '../service/node.ts'
import { inStatementsWith, replaced } from '../service/rewrite.ts'
import type { BrokenRule } from './broken-rule.ts'

/** Workers of which only some reach the chain. */
const SHARING = { workers: true, often: ['workers lose their nodes in turn'] } as const

/** Broken rules of processes that share a database, and of a database that fails over. */
export const BROKEN_WORKERS: readonly BrokenRule[] = [
  {
    rule: 5,
    name: 'a failover loses what was acknowledged',
    seed: 2,
    emphasis: { workers: true, failover: 0.4 },
    finds: /is lost|store, then send/,
    sabotage: { losesCommits: true },
  },
  {
    rule: 7,
    name: 'a worker that was replaced writes on',
    seed: 43,
    emphasis: {
      workers: true,
      faults: GOOD_NODES,
      often: ['a worker hangs and comes back', 'a worker that was cut off follows on', 'submit the next transaction'],
      never: ['a worker outlives its claims', 'workers lose their nodes in turn'],
    },
    finds: /the cursor of .* went from/,
    // Nothing compares the lease or the cursor's own number.
    sabotage: {
      statement: inStatementsWith(
        ['job_leases', 'update "chain_cursors"'],
        replaced(
          /where job = (\$\d+) and worker_id = (\$\d+) and token = (\$\d+) for share/,
          'where $1::text is not null and $2::int is not null and $3::bigint is not null',
        ),
        replaced(/and "final_number" = (\$\d+)/, 'and $1::bigint is not null'),
      ),
    },
  },
  {
    rule: 10,
    name: 'a worker that outlived its claim plans',
    seed: 23,
    emphasis: {
      workers: true,
      treasury: true,
      faults: GOOD_NODES,
      often: ['a worker outlives its claims', 'mine', 'follow the chain'],
    },
    finds: /was planned by a worker that outlived its claim/,
    // Nothing compares the claim, nor the settings, which people changed when it had lapsed.
    sabotage: {
      statement: replaced(
        /\("enable_yield" = (\$\d+) and "buffer_amount" = (\$\d+)\)(.*)\("due_at" <= (\$\d+) or "due_at" = (\$\d+)\)/s,
        `($1::boolean is not null and $2::numeric is not null)$3($4::timestamptz is not null
          or $5::timestamptz is not null)`,
      ),
    },
  },
  {
    rule: 12,
    name: 'a job rests in a worker without end',
    seed: 10,
    emphasis: SHARING,
    finds: /follow the chain makes no progress for/,
    // Until it progresses there, which it cannot while others hold it.
    sabotage: {
      backoff: (backoff) => ({ update: (...seen) => backoff.update(...seen), at: () => backoff.at(new Date(0)) }),
    },
  },
  {
    rule: 12,
    name: 'a job that stalls in a worker does not rest there',
    seed: 10,
    emphasis: SHARING,
    finds: /follow the chain makes no progress for/,
    sabotage: { backoff: (backoff) => ({ update: (...seen) => backoff.update(...seen), at: () => [] }) },
  },
]

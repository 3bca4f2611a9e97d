import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { REPOSITORY, serverSource } from '../testing/source/source-tree.ts'

/**
 * The folders of the rooms that have several, from the lowest floor to the highest. A file imports from its own folder and
 * from lower ones; a file of the room itself, such as its index.ts or parts.ts, belongs to the floor that names it, and to
 * the highest where none does.
 */
const FOLDERS: Readonly<Record<string, readonly string[]>> = {
  allocations: ['positions', 'exits', 'earnings', 'statistics', 'views'],
  changes: ['parts.ts', 'policy', 'requests'],
  chains: ['port', 'live-networks.ts', 'addresses', 'rpc', 'evm', 'solana', 'dev'],
  'chains/evm': [
    'errors',
    'transactions',
    'fees',
    'wire.ts',
    'caches',
    'context.ts',
    'blocks',
    'reads',
    'sending',
    'history',
  ],
  'chains/solana': [
    'addresses',
    'errors',
    'transactions',
    'fees',
    'wire.ts',
    'caches',
    'context.ts',
    'blocks',
    'reads',
    'sending',
    'history',
  ],
  database: [
    'schema',
    'schema.ts',
    'handles.ts',
    'catalog',
    'queries',
    'connections',
    'outbox',
    'leases',
    'upkeep',
    'migration-steps.ts',
    'partition-table.ts',
    'migrations',
    'migrating',
    'health',
    'embedded',
  ],
  identity: [
    'shared',
    'audit',
    'anchors',
    'security-events',
    'mail',
    'saved-views',
    'members',
    'profiles',
    'keys',
    'service-accounts',
    'attempts',
    'factors',
    'sessions',
    'addresses',
    'invitations',
    'organizations',
    'sso',
    'demo',
  ],
  main: ['keys', 'compose', 'start', 'commands'],
  operations: ['lifecycle', 'views', 'transactions', 'planning', 'approval', 'settlement', 'submission', 'leasing'],
  ramp: [
    'sealing',
    'provider',
    'parts.ts',
    'pricing',
    'customers',
    'accounts',
    'transactions',
    'personal',
    'events',
    'onboarding',
    'deposits',
    'simulation',
    'disabled',
    'bridge',
    'sandbox',
  ],
  rebalancing: ['settings.ts', 'parts.ts', 'gas', 'awaited', 'limits', 'planner', 'state', 'exclusions', 'snapshot'],
  sandbox: [
    'run-exclusive.ts',
    'treasury-port.ts',
    'parts.ts',
    'treasury',
    'start-nodes.ts',
    'control-node.ts',
    'assemble-chains.ts',
    'shared',
    'agents',
  ],
  venues: [
    'contract-unavailable.ts',
    'port.ts',
    'risk-facts.ts',
    'readings.ts',
    'format-amount.ts',
    'net-movement.ts',
    'exit-movement.ts',
    'spender.ts',
    'venue-address.ts',
    'require-deposit-accepted.ts',
    'evm',
    'svm',
    'erc4626',
    'aave-v3',
    'compound-v3',
    'cooldown-vault',
    'erc7540',
    'jupiter-lend',
    'kamino',
    'share-vault',
    'unknown-venue.ts',
    'venue-for.ts',
    'catalogue',
    'facts',
    'venues-file',
  ],
  webhooks: ['guard', 'parts.ts', 'lifecycle', 'events', 'endpoints', 'delivery', 'backlog.ts'],
  'identity/sso': ['parts.ts', 'providers', 'domains', 'sign-in'],
  'operations/lifecycle': ['states', 'parts.ts', 'reads', 'records', 'transitions', 'conflicts'],
  'operations/settlement': ['discovery', 'shared', 'reconciliation', 'landings', 'blocks', 'pending', 'reorgs'],
  'surfaces/core': [
    'access.ts',
    'formats.ts',
    'pagination.ts',
    'payable-sources.ts',
    'weighed-strategies.ts',
    'schemas.ts',
    'token-filter.ts',
    'wallet-names.ts',
    'exit-data.ts',
    'changes',
    'identity',
    'webhooks',
    'agent',
    'operations',
    'treasury',
    'preview',
  ],
  'surfaces/core/identity': ['shared', 'accounts', 'sessions', 'keys', 'organization', 'audit', 'sso'],
  'surfaces/http': [
    'limits',
    'schemas',
    'app.ts',
    'validation',
    'responses',
    'access',
    'records',
    'errors',
    'pipeline',
    'idempotency',
    'openapi',
    'docs',
    'metrics',
    'events',
    'server',
  ],
  'surfaces/v1': [
    'schemas.ts',
    'exit-record.ts',
    'token-filter.ts',
    'parse-amount.ts',
    'operations',
    'allocations',
    'ramp',
  ],
}

test('inside a room, a folder imports only from folders below it', () => {
  expect(serverSource().flatMap(({ path, imports }) => imports.flatMap((target) => judge(path, target)))).toEqual([])
})

test('every folder of a room with floors has its floor', () => {
  const unlisted = serverSource().filter(({ path }) =>
    roomsOf(path).some(
      (room) => path.slice(room.length + 1).includes('/') && floorOf(room, path) === FOLDERS[room]!.length,
    ),
  )
  expect(unlisted.map(({ path }) => path)).toEqual([])
})

test('the rule finds an import that goes up', () => {
  expect(judge('operations/settlement/blocks/settle-block.ts', 'operations/lifecycle/states/operation.ts')).toEqual([])
  expect(judge('operations/index.ts', 'operations/leasing/start-lease.ts')).toEqual([])
  expect(judge('operations/lifecycle/states/operation.ts', 'kernel/index.ts')).toEqual([])
  for (const [from, to] of [
    ['operations/lifecycle/states/operation.ts', 'operations/views/operation-view.ts'],
    ['operations/lifecycle/states/operation.ts', 'operations/index.ts'],
    ['ramp/provider/port.ts', 'ramp/parts.ts'],
    ['chains/evm/wire.ts', 'chains/solana/wire.ts'],
    ['chains/evm/blocks/heads.ts', 'chains/evm/sending/broadcast.ts'],
    ['surfaces/http/pipeline/run-verb.ts', 'surfaces/http/server/build-server.ts'],
  ] as const)
    expect(judge(from, to), `${from} → ${to}`).toHaveLength(1)
})

test('CONTRIBUTING.md lists the folders of each room in this order', () => {
  const text = readFileSync(join(REPOSITORY, 'CONTRIBUTING.md'), 'utf8')
  const listed = [...text.matchAll(/^\| `([\w/]+)` \| (.+) \|$/gm)].map(([, room, folders]) => [
    room,
    [...folders!.matchAll(/`([\w-]+)`/g)].map(([, folder]) => folder),
  ])
  const expected = Object.entries(FOLDERS).map(([room, folders]) => [
    room,
    folders.filter((folder) => !folder.endsWith('.ts')),
  ])
  expect(Object.fromEntries(listed)).toEqual(Object.fromEntries(expected))
})

/** The rooms with floors that a file is in, one of which may be inside the other. */
function roomsOf(path: string): string[] {
  return Object.keys(FOLDERS).filter((room) => path.startsWith(`${room}/`))
}

function floorOf(room: string, path: string): number {
  const floor = FOLDERS[room]!.indexOf(path.slice(room.length + 1).split('/')[0]!)
  return floor === -1 ? FOLDERS[room]!.length : floor
}

/** The rules that an import breaks, as sentences. */
function judge(path: string, target: string): string[] {
  return roomsOf(path)
    .filter((room) => target.startsWith(`${room}/`) && floorOf(room, target) > floorOf(room, path))
    .map((room) => `${path} imports ${target}, which is on a higher floor of ${room}`)
}

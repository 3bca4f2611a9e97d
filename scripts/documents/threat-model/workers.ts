import { AGENT_FILES, SERVER_FILES, SYSTEM_TESTS, type ThreatenedPart } from './threat.ts'

export const WORKERS: ThreatenedPart = {
  id: 'workers',
  name: 'Workers',
  zone: 'operator',
  trustedFor: 'following the chains, deliveries, the rebalancing within caps and policy',
  notTrustedFor: 'moving money: their operations pass the policy and the agent',
  threats: [
    [
      'S',
      'a second process does the same work',
      'one holder of a lock per job',
      `${SERVER_FILES}database/leases/periodic-runner.test.ts`,
    ],
    [
      'T',
      'a crash between a change and its consequence',
      'both commit together, or neither',
      `${AGENT_FILES}system/interruptions.test.ts`,
    ],
    [
      'R',
      'deny why an operation was planned',
      'each stores its requester and reasons',
      `${SERVER_FILES}surfaces/core/operations/reasons.test.ts`,
    ],
    [
      'I',
      'read the backlog of all tenants from outside',
      '/metrics has a port of its own',
      `${SERVER_FILES}surfaces/http/metrics/metrics-listener.test.ts`,
    ],
    [
      'D',
      'a wallet that cannot be settled stops its chain',
      'the wallet is quarantined and the others are settled',
      `${SYSTEM_TESTS}money/chain-faults.test.ts`,
    ],
    [
      'D',
      'list a contract that burns all gas, loops, or returns megabytes',
      'the others of its batch are read without it',
      `${SERVER_FILES}chains/evm/evm-chain.test.ts`,
    ],
    [
      'D',
      'send or request crumbs for a foreign wallet, so that these delay its buffer and its evacuation',
      'crumbs of a move come after it; dust last, or never',
      `${SERVER_FILES}rebalancing/planner/planner-crumbs.test.ts`,
    ],
    [
      'E',
      'rebalance beyond a cap',
      'caps are checked again at the commit',
      `${SERVER_FILES}rebalancing/limits/enforce-cap.test.ts`,
    ],
  ],
}

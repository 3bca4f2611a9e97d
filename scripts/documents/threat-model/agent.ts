import { AGENT_FILES, SYSTEM_TESTS, type ThreatenedPart } from './threat.ts'

export const AGENT: ThreatenedPart = {
  id: 'agent',
  name: 'Custody agent',
  zone: 'customer',
  trustedFor: 'checking and signing: the last check before money moves',
  notTrustedFor: 'anything else: its key can lease and report, not read or plan',
  threats: [
    [
      'S',
      'report with a stolen key of another kind',
      'the permission agent and the lease are required',
      `${SYSTEM_TESTS}access/authorization.test.ts`,
    ],
    [
      'T',
      'give it bytes that differ from their description',
      'it decodes all bytes against its own list',
      `${AGENT_FILES}system/attacks/agent.test.ts`,
    ],
    [
      'R',
      'deny a signature',
      'journal on its disk, reports in the audit log',
      `${AGENT_FILES}src/journal/journal.test.ts`,
    ],
    [
      'I',
      'read keys or secrets from its log or metrics',
      'no setting with a secret is printed',
      `${AGENT_FILES}src/config.test.ts`,
    ],
    [
      'D',
      'let leases run out or answers hang',
      'work returns to the queue; bodies and times are bounded',
      `${AGENT_FILES}src/bounded-body.test.ts`,
    ],
    [
      'E',
      'drain wallets with valid moves',
      'limits by hour and day and a fee budget in its own file',
      `${AGENT_FILES}src/limits/exceeded-limit.test.ts`,
    ],
    [
      'E',
      'change an approved operation in the database',
      'where approvals are signed, the agent checks the passkeys of its approvers over what it signs',
      `${AGENT_FILES}system/attacks/signed-approvals.test.ts`,
    ],
  ],
}

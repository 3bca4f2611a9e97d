import { AGENT_FILES, SERVER_FILES, type ThreatenedPart } from './threat.ts'

export const DATABASE: ThreatenedPart = {
  id: 'database',
  name: 'Database',
  zone: 'operator',
  trustedFor: 'keeping what was committed',
  notTrustedFor: 'secrets in plain text; proof that people approved, where approvals are signed by passkeys',
  threats: [
    [
      'S',
      'stand in for the database on the network',
      'live requires verified TLS',
      `${SERVER_FILES}database/connections/open-database-tls.test.ts`,
    ],
    [
      'T',
      'write an approval into the table',
      'an agent that requires signed approvals does not sign',
      `${AGENT_FILES}src/approvals/check-approval.test.ts`,
    ],
    ['R', 'rewrite the audit log', 'anchors outside show it', `${SERVER_FILES}identity/audit/verify-audit-log.test.ts`],
    [
      'R',
      'queue an audit entry of what nobody did',
      'nothing: the log proves what was written, not that it was true',
      `${SERVER_FILES}identity/audit/chain-audit-entries.test.ts`,
    ],
    [
      'I',
      'use or read secrets from a dump',
      'keyed hashes; sealed values bound to their row',
      `${SERVER_FILES}kernel/seal.test.ts`,
    ],
    [
      'D',
      'take it away',
      'requests return 503 NOT_READY, and work resumes',
      `${SERVER_FILES}database/connections/report-outage.test.ts`,
    ],
    [
      'E',
      'become a tenant with more rights by writing rows',
      'possible for an attacker who writes: the agent still signs only moves on its list',
    ],
  ],
}

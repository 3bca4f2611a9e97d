import { SERVER_FILES, SYSTEM_TESTS, type ThreatenedPart } from './threat.ts'

export const HOST: ThreatenedPart = {
  id: 'host',
  name: "Operator's host",
  zone: 'operator',
  trustedFor: 'everything that the service may do: it has all secrets',
  notTrustedFor: 'wallet keys, which are with the customer',
  threats: [
    [
      'S',
      'connect to a service that is not yours',
      'TLS by the service or a proxy, with a certificate',
      `${SERVER_FILES}surfaces/http/server/tls.test.ts`,
    ],
    [
      'T',
      'install a changed package',
      'versions and hashes are pinned, and no install script runs',
      `${SYSTEM_TESTS}documents/supply-chain.test.ts`,
    ],
    [
      'R',
      'recover an owner unseen',
      'commands on the host are security events',
      `${SERVER_FILES}main/commands/owner-recover-command.test.ts`,
    ],
    ['I', 'read secrets from messages', 'no message repeats a secret setting', `${SERVER_FILES}config.test.ts`],
    [
      'D',
      'kill the service',
      'state is in the database, and the next start resumes',
      `${SYSTEM_TESTS}processes/process.test.ts`,
    ],
    ['E', 'sign for wallets with the secrets of the host', 'possible only where the keys are: not on this host'],
  ],
}

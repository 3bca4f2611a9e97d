import { AGENT_FILES, type ThreatenedPart } from './threat.ts'

export const SIGNER: ThreatenedPart = {
  id: 'signer',
  name: 'Signer or key service',
  zone: 'customer',
  trustedFor: 'the wallet keys',
  notTrustedFor: 'deciding what to sign',
  threats: [
    [
      'S',
      'stand in for the signer or the agent',
      'both authenticate with a shared secret; live requires https',
      `${AGENT_FILES}src/config/links.test.ts`,
    ],
    [
      'T',
      'return a signature of other bytes',
      'the agent verifies each signature',
      `${AGENT_FILES}src/signers/signers.test.ts`,
    ],
    [
      'R',
      'deny a request for a signature',
      'requests carry the operation and the transaction',
      `${AGENT_FILES}src/signers/signers.test.ts`,
    ],
    [
      'I',
      'learn keys from the agent',
      'with a key service they never leave it',
      `${AGENT_FILES}src/signers/signers.test.ts`,
    ],
    [
      'D',
      'never answer',
      'the lease is renewed for a bounded time, then the work is free',
      `${AGENT_FILES}src/work/lease.test.ts`,
    ],
    [
      'E',
      'sign with the local keys of a stolen machine',
      'possible with SIGNER=keystore and its passphrase: use a key service',
    ],
  ],
}

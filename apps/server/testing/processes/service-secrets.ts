import type { ServiceSecrets } from '../../src/secrets/index.ts'

/** The secrets of a service in a test, all from one root of 64 hexadecimal digits. */
export function serviceSecrets(root: string): ServiceSecrets {
  return { sandboxProvider: root, bridgeFingerprints: root, blindIndex: root, clearFields: 'refused' }
}

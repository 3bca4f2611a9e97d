export { connectAwsKms } from './aws-kms.ts'
export { countHashes, countSealedValues } from './count-sealed-values.ts'
export { addDataKey, createFirstDataKey, isDataKeyId, openDataKeys, useDataKey } from './data-keys.ts'
export { findSealingKeys } from './find-sealing-keys.ts'
export { KeyServiceError } from './key-service.ts'
export { findKeyGaps, type KeyGaps, registerKeys, unregisterKey } from './register-keys.ts'
export { type ResealProgress, resealValues } from './reseal-values.ts'
export type { SealedColumn } from './sealed-column.ts'
export {
  loadServiceSecrets,
  refuseClearFields,
  SERVICE_SECRETS_COLUMN,
  type ServiceSecrets,
} from './service-secrets.ts'

import { optional, setting } from './define-setting.ts'
import { apiName, flag, keyIds, urlOf } from './setting-parsers.ts'

/** AWS KMS, which wraps the data keys of the service. The SDK's own settings give region and credentials. */
export const KEY_SERVICE_SETTINGS = {
  encryptionKmsKeyIds: optional(
    'ENCRYPTION_KMS_KEY_ID',
    keyIds,
    'Key of AWS KMS (id, ARN or `alias/...`) that wraps the data key which seals stored secrets; several, separated by commas: the first wraps new data keys, all unwrap. Region and credentials come from the AWS SDK’s environment. ENCRYPTION_KEY and ENCRYPTION_KEYS then only open (docs/secrets.md). Unset: no KMS',
  ),
  encryptionKmsInstallation: setting(
    'ENCRYPTION_KMS_INSTALLATION',
    'weir',
    apiName,
    'Name of this installation, bound into its wrapped data keys: another installation with the same KMS key cannot unwrap them. Changing it makes them unreadable',
  ),
  encryptionKmsSeals: setting(
    'ENCRYPTION_KMS_SEALS',
    '1',
    flag,
    'Whether KMS seals new secrets. `0`: it only opens what its data keys sealed, and the first of ENCRYPTION_KEYS seals (docs/secrets.md)',
  ),
  kmsEndpoint: optional(
    'AWS_ENDPOINT_URL_KMS',
    urlOf('http:', 'https:'),
    'Endpoint of AWS KMS, such as a VPC endpoint. Live refuses plain http, unless PRIVATE_LINKS lists its host. Unset: that of the region',
  ),
} as const

/** AWS KMS as the key service. */
export interface KmsConfig {
  /** The first wraps new data keys; all unwrap. */
  readonly keyIds: readonly string[]
  readonly installation: string
  /** Its data keys seal; `false`: they only open. */
  readonly seals: boolean
  /** Undefined: the endpoint of the region. */
  readonly endpoint: string | undefined
}

/** Undefined: KMS is not used. */
export function kmsConfig(values: {
  readonly encryptionKmsKeyIds: readonly string[] | undefined
  readonly encryptionKmsInstallation: string
  readonly encryptionKmsSeals: boolean
  readonly kmsEndpoint: string | undefined
}): KmsConfig | undefined {
  const { encryptionKmsKeyIds: keyIds, encryptionKmsInstallation: installation, kmsEndpoint: endpoint } = values
  return keyIds && { keyIds, installation, seals: values.encryptionKmsSeals, endpoint }
}

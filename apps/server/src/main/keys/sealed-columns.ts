import { CHANGE_SEALED_COLUMNS } from '../../changes/index.ts'
import { SSO_SEALED_COLUMN, TOTP_SEALED_COLUMN } from '../../identity/index.ts'
import { MAIL_SEALED_COLUMNS } from '../../mail/index.ts'
import { RAMP_SEALED_COLUMNS } from '../../ramp/index.ts'
import { SERVICE_SECRETS_COLUMN, type SealedColumn } from '../../secrets/index.ts'
import { RESPONSES_SEALED_COLUMN } from '../../surfaces/http/index.ts'
import { WEBHOOK_SEALED_COLUMNS } from '../../webhooks/index.ts'

/** Every column of sealed values, the events last, of which there are most. sealed-columns.test.ts compares this list with the database. */
export const SEALED_COLUMNS: readonly SealedColumn[] = [
  SERVICE_SECRETS_COLUMN,
  ...CHANGE_SEALED_COLUMNS,
  SSO_SEALED_COLUMN,
  TOTP_SEALED_COLUMN,
  ...RAMP_SEALED_COLUMNS,
  RESPONSES_SEALED_COLUMN,
  ...MAIL_SEALED_COLUMNS,
  ...WEBHOOK_SEALED_COLUMNS,
]

import { validationError } from '../../../kernel/index.ts'

/**
 * Why an agent says that it failed. An empty reason is accepted: what failed must end even if the error that the agent met
 * had no message. Error: VALIDATION_ERROR without the field.
 */
export function failureReason(error: string | undefined): string {
  if (error === undefined) throw validationError('error', 'is required with FAILED')
  return error.trim() === '' ? 'a failure, with no reason' : error
}

import type { ErrorObject } from 'ajv'
import type { ValidationIssue } from './parse-body.ts'

/** Longer lists do not help the caller. */
const ISSUES_MAX = 50

/** Converts Ajv errors to issues, one per path and message, with paths such as `bank_details.routing_number`. */
export function validationIssues(errors: readonly ErrorObject[]): ValidationIssue[] {
  const issues = new Map<string, ValidationIssue>()
  for (const error of withoutBranches(errors)) {
    const issue = { path: pathOf(error), message: sentence(error, errors) }
    issues.set(`${issue.path} ${issue.message}`, issue)
    if (issues.size === ISSUES_MAX) break
  }
  return [...issues.values()]
}

/** Ajv reports each failed branch of a union; report the union once. */
function withoutBranches(errors: readonly ErrorObject[]): ErrorObject[] {
  const unions = errors.filter((error) => error.keyword === 'anyOf' && !isNullable(error))
  const nullables = errors.filter((error) => error.keyword === 'anyOf' && isNullable(error))
  return errors.filter((error) => {
    if (unions.some((union) => isBranch(error, union))) return false
    const nullable = nullables.find((union) => isBranch(error, union))
    // For `X | null`, report only what is wrong with X.
    if (nullable !== undefined) return !(error.keyword === 'type' && error.params.type === 'null')
    return !nullables.includes(error)
  })
}

function isBranch(error: ErrorObject, union: ErrorObject): boolean {
  return (
    error !== union &&
    error.schemaPath.startsWith(`${union.schemaPath}/`) &&
    error.instancePath.startsWith(union.instancePath)
  )
}

/** `X | null`: a union of one other branch and null. */
function isNullable(error: ErrorObject): boolean {
  const branches = branchesOf(error)
  return branches.length === 2 && branches.filter((branch) => branch.type === 'null').length === 1
}

function branchesOf(error: ErrorObject): { type?: string; const?: unknown }[] {
  return Array.isArray(error.schema) ? error.schema : []
}

function sentence(error: ErrorObject, all: readonly ErrorObject[]): string {
  switch (error.keyword) {
    case 'required':
      return 'is required'
    case 'enum':
      return `must be one of: ${error.params.allowedValues.join(', ')}`
    case 'const':
      return `must be ${error.params.allowedValue}`
    case 'format':
      return `must be a valid ${error.params.format}`
    case 'minLength':
      return error.params.limit === 1 ? 'must not be empty' : `must have at least ${error.params.limit} characters`
    case 'maxLength':
      return `must have at most ${error.params.limit} characters`
    case 'minimum':
      return `must be at least ${error.params.limit}`
    case 'maximum':
      return `must be at most ${error.params.limit}`
    case 'minItems':
      return error.params.limit === 1 ? 'must not be empty' : `must have at least ${error.params.limit} entries`
    case 'maxItems':
      return `must have at most ${error.params.limit} entries`
    case 'pattern':
      return `must have the form ${error.params.pattern}`
    case 'anyOf': {
      const branches = branchesOf(error)
      if (branches.every((branch) => branch.const !== undefined || branch.type === 'null'))
        return `must be one of: ${branches.map((branch) => branch.const ?? 'null').join(', ')}`
      return `must be one of: ${branches.map((branch) => branch.type ?? 'value').join(', ')}`
    }
    case 'type': {
      const orNull = all.some((other) => other.keyword === 'anyOf' && isNullable(other) && isBranch(error, other))
      return `must be ${wordOf(error.params.type)}${orNull ? ' or null' : ''}`
    }
    default:
      return error.message ?? 'is not valid'
  }
}

function wordOf(type: string | string[]): string {
  const words: Record<string, string> = {
    string: 'a string',
    integer: 'an integer',
    number: 'a number',
    boolean: 'true or false',
    object: 'an object',
    array: 'an array',
  }
  return [type]
    .flat()
    .map((name) => words[name] ?? name)
    .join(' or ')
}

/** Converts `/bank_details/routing_number` and `/events/0` to `bank_details.routing_number` and `events[0]`. */
function pathOf(error: ErrorObject): string {
  const parts = error.instancePath
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
  if (error.keyword === 'required') parts.push(error.params.missingProperty)
  const path = parts.reduce(
    (whole, part) => (/^\d+$/.test(part) ? `${whole}[${part}]` : whole === '' ? part : `${whole}.${part}`),
    '',
  )
  return path === '' ? 'body' : path
}

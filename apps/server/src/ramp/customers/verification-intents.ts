/** The intent of an organization's verification: concurrent starts of one attempt are one application. */
export const organizationIntent = (organizationId: number, attempt: number): string =>
  `organization-${organizationId}-${attempt}`

/** How the sandbox's provider calls the application of an intent. */
export const sandboxReference = (intent: string): string => `kyb-${intent}`

/** Finds the organization in the reference of one of its own attempts, as a regular expression of PostgreSQL. */
export const SANDBOX_REFERENCE_OF_ORGANIZATION = `^${sandboxReference('organization-')}(\\d{1,15})-\\d+$`

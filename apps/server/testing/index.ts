export { type ChildProgram, type ProgramOptions, startProgram } from './child-program.ts'
export { countStatements, type StatementCount } from './count-statements.ts'
export { emptyDatabase, type TestDatabase, testDatabase } from './test-database.ts'
export { until } from './until.ts'

export type { CheckReport, Problem, ProblemRule } from './problem.ts'

import type { HttpApp } from '#infra/http/http-app.ts'
import { bodyErrorResponses, errorResponses, NoContent } from '#infra/http/schema.ts'
import { NewProject, Project, ProjectChange, ProjectList, ProjectParams, ProjectQuery } from './schema.ts'
import * as projects from './service.ts'

export function projectRoutes(app: HttpApp, deps: projects.ProjectsDeps): void {
  app.get(
    '/v1/projects',
    {
      schema: {
        operationId: 'listProjects',
        summary: 'List projects',
        description: 'The projects of your organization, oldest first.',
        tags: ['Projects'],
        querystring: ProjectQuery,
        response: { 200: ProjectList.describe('A page of projects.'), ...errorResponses() },
      },
    },
    (request) => projects.listProjects(deps, { by: request.caller, page: request.query }),
  )

  app.post(
    '/v1/projects',
    {
      schema: {
        operationId: 'createProject',
        summary: 'Create a project',
        description: 'Without a `source`, the built-in host makes a repository from a starter template.',
        tags: ['Projects'],
        body: NewProject,
        response: { 201: Project.describe('The new project.'), ...bodyErrorResponses() },
      },
    },
    async (request, reply) => {
      const project = await projects.createProject(deps, { ...request.body, by: request.caller })
      return reply.code(201).send(project)
    },
  )

  app.get(
    '/v1/projects/:projectId',
    {
      schema: {
        operationId: 'getProject',
        summary: 'Get a project',
        tags: ['Projects'],
        params: ProjectParams,
        response: { 200: Project.describe('The project.'), ...errorResponses(404) },
      },
    },
    (request) => projects.getProject(deps, { id: request.params.projectId, by: request.caller }),
  )

  app.patch(
    '/v1/projects/:projectId',
    {
      schema: {
        operationId: 'changeProject',
        summary: 'Change a project',
        tags: ['Projects'],
        params: ProjectParams,
        body: ProjectChange,
        response: { 200: Project.describe('The project as it is now.'), ...bodyErrorResponses(404) },
      },
    },
    (request) => {
      const { projectId: id } = request.params
      return projects.changeProject(deps, { id, change: request.body, by: request.caller })
    },
  )

  app.delete(
    '/v1/projects/:projectId',
    {
      schema: {
        operationId: 'deleteProject',
        summary: 'Delete a project',
        description: 'Its repository on the built-in host is deleted too; one on another host is left alone.',
        tags: ['Projects'],
        params: ProjectParams,
        response: { 204: NoContent, ...bodyErrorResponses(404) },
      },
    },
    async (request, reply) => {
      await projects.deleteProject(deps, { id: request.params.projectId, by: request.caller })
      return reply.code(204).send(null)
    },
  )
}

"""PFLlib-like: server and client classes, deepcopied models, uploaded lists."""

import copy

import numpy as np
import torch


class M(torch.nn.Module):
    def __init__(self, v):
        super().__init__()
        self.w = torch.nn.Parameter(v.clone())


class ClientAVG:
    def __init__(self, args, id, oracle, model):
        self.id, self.oracle, self.args = id, oracle, args
        self.model = copy.deepcopy(model)
        self.optimizer = torch.optim.SGD(self.model.parameters(), lr=args.local_step)
        self.train_samples = oracle.data_points

    def set_parameters(self, model):
        for new, old in zip(model.parameters(), self.model.parameters(), strict=False):
            old.data = new.data.clone()

    def train(self):
        self.model.train()
        for _epoch in range(self.args.local_steps):
            self.optimizer.zero_grad()
            # a linear loss whose gradient is the client's, as backward() would give it
            g = self.oracle.gradient(self.model.w.detach())
            (self.model.w * g).sum().backward()
            self.optimizer.step()


class Server:
    def __init__(self, args, clients, start, seed):
        self.args = args
        self.rng = np.random.RandomState(seed % 2**32)
        self.global_model = M(start)
        self.clients = [ClientAVG(args, i, c, self.global_model) for i, c in enumerate(clients)]
        self.num_join_clients = args.clients_per_round

    def select_clients(self):
        return [
            self.clients[i] for i in self.rng.choice(len(self.clients), self.num_join_clients, replace=False)
        ]

    def send_models(self):
        for client in self.clients:
            client.set_parameters(self.global_model)

    def receive_models(self):
        self.uploaded_weights, self.uploaded_models = [], []
        for client in self.selected_clients:
            self.uploaded_weights.append(1)
            self.uploaded_models.append(client.model)
        tot = sum(self.uploaded_weights)
        for i, w in enumerate(self.uploaded_weights):
            self.uploaded_weights[i] = w / tot

    def aggregate_parameters(self):
        self.global_model = copy.deepcopy(self.uploaded_models[0])
        for param in self.global_model.parameters():
            param.data.zero_()
        for w, m in zip(self.uploaded_weights, self.uploaded_models, strict=False):
            for server_param, client_param in zip(
                self.global_model.parameters(), m.parameters(), strict=False
            ):
                server_param.data += client_param.data.clone() * w

    def train(self):
        yield self.global_model.w.detach().clone()
        for _i in range(self.args.rounds):
            self.selected_clients = self.select_clients()
            self.send_models()
            for client in self.selected_clients:
                client.train()
            self.receive_models()
            self.aggregate_parameters()
            yield self.global_model.w.detach().clone()


def run(clients, start, settings, seed):
    return Server(settings, clients, start, seed).train()
